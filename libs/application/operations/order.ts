import { canonicalJson, sha256, uuidV4, type Actor } from '#kernel';
import { operationsStream, type Operation } from '#ledger';
import type { ApplicationParts } from '../parts.js';

/** What an order is written down with. */
export type OrderParts = Pick<ApplicationParts, 'clock' | 'random'> & {
  readonly aggregates: Pick<ApplicationParts['aggregates'], 'operations'>;
};

/** Who orders something, and why where that was said. */
export type OrderContext = {
  readonly actor: Actor;
  readonly session?: string;
  readonly reason?: string | undefined;
};

/**
 * Writes down what an admin orders of the program, before it is done: what was done without a trace could not be explained.
 * Rejects when it can't be written, and then nothing may be done.
 */
export async function writeOrder(
  { aggregates, clock, random }: OrderParts,
  { actor, session, reason }: OrderContext,
  order: Operation,
): Promise<void> {
  const commandId = uuidV4(random);
  const command = { type: 'Order', order } as const;
  await aggregates.operations.execute(operationsStream(new Date(clock()).toISOString()), command, {
    actor,
    commandId,
    requestHash: sha256(canonicalJson(command)),
    correlationId: commandId,
    causationId: commandId,
    ...(session === undefined ? {} : { session }),
    ...(reason === undefined ? {} : { reason }),
  });
}
