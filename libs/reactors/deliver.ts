import type { CommandContext } from '#commands';
import { isOutage } from '#kernel';
import type { FollowUp } from './follow-ups.js';
import type { Parking } from './parking.js';
import type { ReactorCommand } from './reactor.js';

/** Carries out a command, once for each command id. */
export type Execute<Command> = (
  command: ReactorCommand<Command>,
  context: CommandContext,
) => Promise<unknown>;

/** Carries out what follows from one event. Answers with what failed; throws what an engine failed with. */
export async function deliver<Command>(
  { commands, failure }: FollowUp<Command>,
  execute: Execute<Command>,
): Promise<{ readonly error: unknown } | undefined> {
  if (failure !== undefined) return { error: failure };
  try {
    for (const { command, context } of commands) await execute(command, context);
    return undefined;
  } catch (error) {
    if (isOutage(error)) throw error;
    return { error };
  }
}

/** Carries out a page: the events of a key one after the other, at most `atOnce` keys at once. */
export async function deliverAll<Command>(
  followUps: readonly FollowUp<Command>[],
  parking: Parking,
  execute: Execute<Command>,
  atOnce: number,
): Promise<void> {
  const waiting = byKey(followUps);
  const failures: unknown[] = [];
  const work = async () => {
    for (let lane = waiting.shift(); lane !== undefined && failures.length === 0; lane = waiting.shift()) {
      for (const followUp of lane) await deliverOrPark(followUp, parking, execute);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, waiting.length) }, () =>
    work().catch((error: unknown) => failures.push(error)),
  );
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
}

function byKey<Command>(followUps: readonly FollowUp<Command>[]): (readonly FollowUp<Command>[])[] {
  const lanes = new Map<string, FollowUp<Command>[]>();
  for (const followUp of followUps) {
    const lane = lanes.get(followUp.key);
    if (lane === undefined) lanes.set(followUp.key, [followUp]);
    else lane.push(followUp);
  }
  return [...lanes.values()];
}

async function deliverOrPark<Command>(
  followUp: FollowUp<Command>,
  parking: Parking,
  execute: Execute<Command>,
): Promise<void> {
  const { event, key } = followUp;
  if (parking.holds(key)) {
    parking.wait(event, key);
    return;
  }
  const failure = await deliver(followUp, execute);
  if (failure !== undefined) parking.fail(event, key, failure.error);
}
