import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { plainFailure } from '#kernel';
import type { ModelHealth } from '#projections';
import type { Ports } from '../ports.js';
import { stalledTransfers } from '../processes/stalled.js';
import { standing, STANDS_STILL_AFTER_MS, type StandingParts } from './standing.js';

/** What is said of what the projections or the reactors are at where they don't run. */
const ELSEWHERE = 'run by another program';

/** What was looked at, and how it is, in words. */
export type HealthChecks = Record<
  'log' | 'projections' | 'reactors' | 'transfers' | 'clock' | 'disk',
  string
>;

/** How the program is: what was looked at, and which of that is not as it should be though requests are answered. */
export type Health = { readonly checks: HealthChecks; readonly degraded: readonly string[] };

/** Whether the engines answer and the read models advance. Refuses with `unavailable` when they don't. */
export class CheckHealth extends Query<Health> {}

type Parts = StandingParts & Pick<Ports, 'readStore' | 'processes' | 'hold' | 'hasRoom'>;

const MS_PER_SECOND = 1_000;

@QueryHandler(CheckHealth)
export class CheckHealthHandler implements IQueryHandler<CheckHealth> {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<Health> {
    const { readStore, processes, clock, hold, hasRoom } = this.parts;
    const { head, headSecondsBehind, models } = await standing(this.parts);
    await readStore.get('accounts', 'none');
    if (headSecondsBehind * MS_PER_SECOND > STANDS_STILL_AFTER_MS)
      throw plainFailure(
        'unavailable',
        `The log ends at ${head} and does not have what it has acknowledged.`,
      );
    const stalled = models.filter((model) => model.state === 'stalled').map((model) => model.name);
    if (stalled.length > 0) {
      throw plainFailure('unavailable', `Read models have stopped advancing: ${stalled.join(', ')}.`);
    }
    const transfers = await stalledTransfers(readStore, clock());
    const [held, isRoomy] = [hold()?.message, hasRoom()];
    const checks: HealthChecks = {
      log: `at ${head}`,
      projections: `${statesOf(models)}${damagedIn(models)}`,
      reactors: statesOf(processes.reactors()),
      transfers: `${transfers.length} stand still`,
      clock: held ?? 'accepted',
      disk: isRoomy ? 'has room' : 'full: commands are refused, queries are answered',
    };
    const degraded = Object.entries({
      projections: models.some(({ parked }) => parked > 0),
      transfers: transfers.length > 0,
      clock: held !== undefined,
      disk: !isRoomy,
    });
    return { checks, degraded: degraded.filter(([, is]) => is).map(([name]) => name) };
  }
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
