import { callerText, isEngineError, isLodeError, type LodeError } from '#kernel';
import type { ModelHealth } from '#projections';
import { missedIn } from '#scrub';
import type { Condition, JobsCondition, Ports } from '../ports.js';
import { stalledTransfers } from '../processes/stalled.js';
import { gravest, partIn, type HealthPart, type PartHealth, type Readiness } from './health-table.js';
import { headStanding, modelsStanding, STANDS_STILL_AFTER_MS, type StandingParts } from './standing.js';
import { Query } from '../message.js';

/** What is said of what the projections, reactors or jobs are at where they don't run. */
const ELSEWHERE = 'run by another program';

/** What was looked at, and how it is, in words. */
export type HealthChecks = Readonly<Record<HealthPart, string>>;

/** How the program is. */
export type Health = {
  readonly status: Readiness;
  readonly checks: HealthChecks;
  /** The answer that each part by itself would get. */
  readonly states: Readonly<Record<HealthPart, Readiness>>;
  /** What parts could not be looked at for. */
  readonly failures: readonly LodeError[];
};

/** Whether the engines answer and the read models advance, by `healthTable`. */
export class CheckHealth extends Query<Health> {}

type Parts = StandingParts &
  Pick<Ports, 'readStore' | 'processes' | 'hold' | 'hasRoom' | 'storage' | 'condition'>;

const MS_PER_SECOND = 1_000;

export class CheckHealthHandler {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<Health> {
    const { processes, hold } = this.parts;
    const failures: LodeError[] = [];
    const away =
      (part: 'log' | 'projections' | 'identity') =>
      (error: unknown): PartHealth => {
        if (!isLodeError(error) || !isEngineError(error)) throw error;
        failures.push(error);
        return partIn(part, 'away', callerText(error));
      };
    const [log, projections, transfers, identity, jobs] = await Promise.all([
      lookAtLog(this.parts).catch(away('log')),
      lookAtProjections(this.parts).catch(away('projections')),
      lookAtTransfers(this.parts),
      lookAtIdentity(this.parts).catch(away('identity')),
      lookAtJobs(processes),
    ]);
    const held = hold()?.message;
    const all = {
      log,
      projections,
      reactors: partIn('reactors', undefined, statesOf(processes.reactors())),
      jobs,
      transfers,
      identity,
      head: lookAtHead(this.parts.condition.head()),
      clock: partIn('clock', held === undefined ? undefined : 'refused', held ?? 'accepted'),
      disk: lookAtDisk(this.parts),
      scrub: lookAtScrub(this.parts.condition.scrub()),
    };
    return {
      status: gravest(Object.values(all).map(({ answer }) => answer)),
      checks: ofEach(all, ({ words }) => words),
      states: ofEach(all, ({ answer }) => answer),
      failures: [...new Set(failures)],
    };
  }
}

async function lookAtLog(parts: Parts): Promise<PartHealth> {
  const { head, headSecondsBehind } = await headStanding(parts);
  if (headSecondsBehind * MS_PER_SECOND > STANDS_STILL_AFTER_MS)
    return partIn('log', 'behind', `ends at ${head} and does not have what it has acknowledged`);
  const newer = newerWords(parts.condition.beyond());
  if (newer !== undefined) return partIn('log', 'newer', `at ${head}; ${newer}`);
  const damaged = parts.condition.damagedEvents();
  return damaged === 0
    ? partIn('log', undefined, `at ${head}`)
    : partIn('log', 'damaged', `at ${head}; ${damaged} damaged events were met`);
}

/** The most kinds and models that are named. */
const NAMED_MAX = 5;

/** What of a newer program this one can't read, in words; undefined while there is nothing. */
function newerWords({ kinds, models }: ReturnType<Condition['beyond']>): string | undefined {
  const all = [
    ...Object.entries(kinds).map(([type, version]) => `events ${type} of version ${version}`),
    ...Object.entries(models).map(([name, version]) => `the read model ${name} of version ${version}`),
  ];
  if (all.length === 0) return undefined;
  const more = all.length > NAMED_MAX ? [`${all.length - NAMED_MAX} more`] : [];
  return `a newer Lode has written what this one can't read: ${[...all.slice(0, NAMED_MAX), ...more].join(', ')}`;
}

async function lookAtProjections(parts: Parts): Promise<PartHealth> {
  const models = await modelsStanding(parts);
  await parts.readStore.get('accounts', 'none');
  const words = `${statesOf(models)}${damagedIn(models)}`;
  const has = (is: (model: ModelHealth) => boolean) => models.some(is);
  // The program that looks at everything is the one that runs the projections; another can do nothing about them.
  const { isOurs } = parts.condition.scrub();
  if (has(({ state }) => state === 'stalled'))
    return partIn('projections', isOurs ? 'stalled' : 'stalledElsewhere', words);
  if (has(({ parked }) => parked > 0)) return partIn('projections', 'parked', words);
  return partIn('projections', has(({ damaged }) => damaged > 0) ? 'damaged' : undefined, words);
}

/** While the read models can't be read, which is told of them, nobody knows. */
async function lookAtTransfers({ readStore, clock }: Parts): Promise<PartHealth> {
  const stalled = await stalledTransfers(readStore, clock()).catch((error: unknown) => {
    if (!isEngineError(error)) throw error;
    return undefined;
  });
  if (stalled === undefined) return partIn('transfers', undefined, 'not known');
  return partIn('transfers', stalled.length > 0 ? 'stalled' : undefined, `${stalled.length} stand still`);
}

/** While nobody can tell whether somebody runs them, their place is away, which is told of what else is there. */
async function lookAtJobs(processes: Pick<Ports['processes'], 'jobsCondition'>): Promise<PartHealth> {
  const condition = await processes.jobsCondition().catch((error: unknown) => {
    if (!isEngineError(error)) throw error;
    return undefined;
  });
  return condition === undefined ? partIn('jobs', undefined, 'not known') : jobsIn(condition);
}

function jobsIn({ runsJobs, failure, unseenMs }: JobsCondition): PartHealth {
  if (failure !== undefined) {
    const state = runsJobs === 'only' ? 'away' : 'awayBeside';
    return partIn('jobs', state, `none is run here: ${callerText(failure)}`);
  }
  if (unseenMs > STANDS_STILL_AFTER_MS)
    return partIn('jobs', 'noWorker', `nobody seen for ${Math.round(unseenMs / MS_PER_SECOND)} s`);
  return partIn('jobs', undefined, runsJobs === 'no' ? ELSEWHERE : 'run here');
}

async function lookAtIdentity({ condition }: Parts): Promise<PartHealth> {
  const { damagedRows, refusal } = await condition.identity();
  if (refusal !== undefined)
    return partIn('identity', 'unchangeable', `takes no changes: ${callerText(refusal)}`);
  return damagedRows === 0
    ? partIn('identity', undefined, 'whole as far as was looked')
    : partIn('identity', 'damaged', `${damagedRows} damaged rows were met`);
}

/** A server that says nothing is no failure yet. */
function lookAtHead({ ageMs, failure }: ReturnType<Condition['head']>): PartHealth {
  if (failure === undefined && ageMs <= STANDS_STILL_AFTER_MS) return partIn('head', undefined, 'kept');
  const seconds = Math.round(ageMs / MS_PER_SECOND);
  return partIn('head', 'unkept', `not kept for ${seconds} s${failure === undefined ? '' : `: ${failure}`}`);
}

function lookAtDisk({ hasRoom, storage }: Parts): PartHealth {
  if (!hasRoom()) return partIn('disk', 'full', 'full: commands are refused, queries are answered');
  const why = storage.full();
  return why === undefined
    ? partIn('disk', undefined, 'has room')
    : partIn('disk', 'narrow', `no upload is taken: ${why}; all else goes on`);
}

/** What was found of read models is made again. */
function lookAtScrub({ isOurs, state }: ReturnType<Condition['scrub']>): PartHealth {
  const { pass, last } = state;
  if (!isOurs) return partIn('scrub', undefined, ELSEWHERE);
  const lasting = Math.max(pass?.lasting ?? 0, last?.lasting ?? 0);
  const now = pass === undefined ? [] : [`at ${pass.part} since ${instant(pass.begunAt)}`];
  const missed = missedIn(state);
  const what = missed.length === 0 ? 'all' : `all but ${missed.join(', ')}, which was away,`;
  const before = last === undefined ? [] : [`${what} looked at by ${instant(last.endedAt)}`];
  const words = [...now, ...before, `${lasting} damaged`].join('; ');
  return partIn('scrub', lasting > 0 ? 'damaged' : missed.length > 0 ? 'missed' : undefined, words);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same of each part. */
function ofEach<To>(
  {
    log,
    projections,
    reactors,
    jobs,
    transfers,
    identity,
    head,
    clock,
    disk,
    scrub,
  }: Readonly<Record<HealthPart, PartHealth>>,
  to: (one: PartHealth) => To,
): Readonly<Record<HealthPart, To>> {
  return {
    log: to(log),
    projections: to(projections),
    reactors: to(reactors),
    jobs: to(jobs),
    transfers: to(transfers),
    identity: to(identity),
    head: to(head),
    clock: to(clock),
    disk: to(disk),
    scrub: to(scrub),
  };
}

/** What of the read models was found damaged and is not made again yet. */
function damagedIn(models: readonly ModelHealth[]): string {
  return models
    .filter(({ damaged }) => damaged > 0)
    .map(({ name, damaged }) => `; ${name}: ${damaged} damaged`)
    .join('');
}

function statesOf(all: readonly { readonly name: string; readonly state: string }[]): string {
  if (all.length === 0) return ELSEWHERE;
  return all.map(({ name, state }) => `${name} ${state}`).join(', ');
}
