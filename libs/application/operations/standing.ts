import type { Position } from '#kernel';
import type { ModelHealth } from '#projections';
import type { Ports } from '../ports.js';

/** What is known for longer than this of the log, and neither its head nor a read model moves towards it: milliseconds. */
export const STANDS_STILL_AFTER_MS = 15_000;
const MS_PER_SECOND = 1_000;

export type StandingParts = Pick<Ports, 'eventStore' | 'acknowledged' | 'projections' | 'clock'>;

/** The end of the log and the read models, against all that this program knows to be in the log. */
export type Standing = {
  readonly head: Position;
  /** How long the head has been before what was acknowledged; 0 when it isn't. */
  readonly headSecondsBehind: number;
  readonly models: readonly ModelHealth[];
};

/**
 * How the log and the read models stand. That the log has nothing more is what it says itself, and what folds it only
 * knows what it is given: so both are measured by what appends were answered with.
 */
export async function standing(parts: StandingParts): Promise<Standing> {
  const [head, models] = await Promise.all([headStanding(parts), modelsStanding(parts)]);
  return { ...head, models };
}

/** How the end of the log stands. */
export async function headStanding(
  parts: Pick<StandingParts, 'eventStore' | 'acknowledged' | 'clock'>,
): Promise<Omit<Standing, 'models'>> {
  const { eventStore, acknowledged, clock } = parts;
  const head = await eventStore.head();
  return { head, headSecondsBehind: secondsSince(acknowledged.unseen(head).since, clock()) };
}

/** How the read models stand. */
export async function modelsStanding(
  parts: Pick<StandingParts, 'projections' | 'acknowledged' | 'clock'>,
): Promise<readonly ModelHealth[]> {
  const { acknowledged, projections, clock } = parts;
  const models = await projections.status();
  const now = clock();
  return models.map((model) => againstAcknowledged(model, acknowledged.unseen(model.position), now));
}

function againstAcknowledged(
  model: ModelHealth,
  { events, since }: ReturnType<StandingParts['acknowledged']['unseen']>,
  now: number,
): ModelHealth {
  const still = since === undefined ? 0 : now - Math.max(since, model.movedAt ?? 0);
  return {
    ...model,
    state: still > STANDS_STILL_AFTER_MS ? 'stalled' : model.state,
    eventsBehind: Math.max(model.eventsBehind, events),
    secondsBehind: Math.max(model.secondsBehind, secondsSince(since, now)),
  };
}

function secondsSince(since: number | undefined, now: number): number {
  return since === undefined ? 0 : Math.max(0, now - since) / MS_PER_SECOND;
}
