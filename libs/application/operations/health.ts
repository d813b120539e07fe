import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { plainFailure } from '#kernel';
import type { ModelHealth } from '#projections';
import type { Ports } from '../ports.js';
import { stalledTransfers } from '../processes/stalled.js';
import { standing, STANDS_STILL_AFTER_MS, type StandingParts } from './standing.js';

/** What is said of what the projections or the reactors are at where they don't run. */
const ELSEWHERE = 'run by another program';

/** What was looked at, and how it is, in words. */
export type HealthChecks = Record<'log' | 'projections' | 'reactors' | 'transfers' | 'clock', string>;

/** Whether the engines answer and the read models advance. Refuses with `unavailable` when they don't. */
export class CheckHealth extends Query<HealthChecks> {}

type Parts = StandingParts & Pick<Ports, 'readStore' | 'processes' | 'hold'>;

const MS_PER_SECOND = 1_000;

@QueryHandler(CheckHealth)
export class CheckHealthHandler implements IQueryHandler<CheckHealth> {
  constructor(private readonly parts: Parts) {}

  async execute(): Promise<HealthChecks> {
    const { readStore, processes, clock, hold } = this.parts;
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
    return {
      log: `at ${head}`,
      projections: `${statesOf(models)}${damagedIn(models)}`,
      reactors: statesOf(processes.reactors()),
      transfers: `${transfers.length} stand still`,
      // Reads are answered all the same.
      clock: hold()?.message ?? 'accepted',
    };
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
