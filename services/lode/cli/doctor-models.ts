import { STALLED_AFTER_MS, stalledTransfers } from '#application';
import type { Inspection } from '#engines';
import { comparePositions } from '#kernel';
import { walletModels } from '#projections';
import { checkpointStart, type BuildState, type Checkpoint } from '#read-store';
import type { Finding } from './finding.js';
import { describeLag, lagOf, type Lag, type LogEnd } from './log-end.js';
import { counted } from './output.js';

/** The builds of the read models, and the events that they have parked. */
export type Builds = { readonly builds: readonly BuildState[]; readonly parked: number };

export type ModelState = Lag & { readonly model: string; readonly state: string };
export type ModelsState = { readonly models: readonly ModelState[]; readonly parked: number };

/** Behind by more than this while a program runs is worth a look. */
const BEHIND_MOST = 10_000;
/** Parked events that are counted. */
const PARKED_MAX = 1_000;

/** What is in the read models of a folder. */
export async function buildsIn({ openModels }: Pick<Inspection, 'openModels'>): Promise<Builds | undefined> {
  const live = await openModels();
  if (live === undefined) return undefined;
  try {
    const builds = await live.builds();
    const hasParked = builds.some(({ build, state }) => build.collection === 'parked' && state === 'active');
    const parked = hasParked
      ? await live.list('parked', { index: 'id', equals: {}, direction: 'ascending', limit: PARKED_MAX })
      : [];
    return { builds, parked: parked.length };
  } finally {
    await live.close();
  }
}

/** Where the read models of a folder stand. */
export function placesOf(builds: Builds | undefined): readonly Checkpoint[] {
  return (builds?.builds ?? [])
    .filter(({ build }) => walletModels.some(({ name }) => name === build.collection))
    .map(({ checkpoint }) => checkpoint);
}

/** How far the read models have got in the log; when its end is not known, nothing is behind. */
export function modelsOf(found: Builds | undefined, end: LogEnd | undefined): ModelsState {
  if (found === undefined) return { models: [], parked: 0 };
  const models = walletModels.map(({ name, version }): ModelState => {
    const active = found.builds.find(({ build, state }) => build.collection === name && state === 'active');
    const at = active?.checkpoint ?? checkpointStart;
    const state =
      active === undefined ? 'missing' : active.build.version === version ? 'there' : 'other version';
    const isAhead = end !== undefined && comparePositions(at.position, end.position) > 0;
    return { model: name, state: isAhead ? 'ahead' : state, ...lagOf(at, end) };
  });
  return { models, parked: found.parked };
}

/** What looks wrong with them. */
export function aboutModels({ models, parked }: ModelsState, running: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { model, ...lag } of models) {
    if (running && lag.behind > BEHIND_MOST) {
      findings.push({
        what: `The read model ${model} is ${describeLag(lag)}.`,
        todo: 'See whether it catches up (GET /api/projections); if not, look at the log of the program.',
      });
    }
  }
  if (parked > 0) {
    findings.push({
      what: `${counted(parked, 'event')} parked: read models could not take what is in them.`,
      todo: 'docs/how-to/rebuild.md says what to do first; then replay them (POST /api/projections/{model}/replay).',
    });
  }
  return findings;
}

/** How many transfers have had their money in transit for too long at an instant, milliseconds. */
export async function countStalled(
  { openModels }: Pick<Inspection, 'openModels'>,
  now: number,
): Promise<number> {
  const live = await openModels();
  if (live === undefined) return 0;
  try {
    const hasTransfers = (await live.builds()).some(
      ({ build, state }) => build.collection === 'transfers' && state === 'active',
    );
    return hasTransfers ? (await stalledTransfers(live, now)).length : 0;
  } finally {
    await live.close();
  }
}

/** What looks wrong when that many have. */
export function aboutStalled(stalled: number): readonly Finding[] {
  if (stalled === 0) return [];
  return [
    {
      what: `${counted(stalled, 'transfer')} in transit for over ${STALLED_AFTER_MS / 1_000} seconds.`,
      todo: 'GET /api/transfers/stalled lists them, and GET /api/reactors says what holds them up.',
    },
  ];
}
