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

/** Carries out a page: the events of a key one after the other, at most `concurrency` keys at once. */
export async function deliverAll<Command>(
  followUps: readonly FollowUp<Command>[],
  parking: Parking,
  execute: Execute<Command>,
  concurrency: number,
): Promise<void> {
  const waiting = byKey(followUps);
  const failures: unknown[] = [];
  const work = async () => {
    for (let queue = waiting.shift(); queue !== undefined && failures.length === 0; queue = waiting.shift()) {
      for (const followUp of queue) await deliverOrPark(followUp, parking, execute);
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, waiting.length) }, () =>
    work().catch((error: unknown) => failures.push(error)),
  );
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
}

function byKey<Command>(followUps: readonly FollowUp<Command>[]): (readonly FollowUp<Command>[])[] {
  const queues = new Map<string, FollowUp<Command>[]>();
  for (const followUp of followUps) {
    const queue = queues.get(followUp.key);
    if (queue === undefined) queues.set(followUp.key, [followUp]);
    else queue.push(followUp);
  }
  return [...queues.values()];
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
