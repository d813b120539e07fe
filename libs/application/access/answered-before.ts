import type { CommandContext, Execution, Executor } from '#commands';
import { LodeError, type DomainEvent } from '#kernel';

/**
 * What the log holds of a command already; undefined when it holds nothing of it. A repeat is answered so before anything
 * is asked for again that may work only once. Refuses a key that was used for another request.
 */
export async function answeredBefore<C, E extends DomainEvent, S>(
  executor: Pick<Executor<C, E, S>, 'execute'>,
  stream: string,
  context: CommandContext,
): Promise<Execution<E> | undefined> {
  const unproven = new LodeError('proof_missing', 'This is no repeat.');
  try {
    return await executor.execute(stream, unproven, context);
  } catch (error) {
    if (error === unproven) return undefined;
    throw error;
  }
}
