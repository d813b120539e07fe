import { sha256, uuidV5 } from '#kernel';
import { accountStream, type DelayReason } from '#ledger';
import type { Aggregates } from '../aggregates.js';
import { SYSTEM_CONTEXT } from './context.js';

/** What money is kept from leaving with. */
export type MoneyOutDependencies = {
  readonly aggregates: Pick<Aggregates, 'accounts'>;
  /** For how long no money leaves an account after such a change, in milliseconds; 0 for not at all. */
  readonly changeWaitMs: number;
};

/** The namespace of the ids of commands that are derived from a change of what guards an account. */
const CHANGES = '0c3ad5b1-6a0a-5a0c-8d6b-6f1d5c3b8e27';

/**
 * Keeps a customer's money from leaving for the waiting time. It is written before the change is made, so that nothing
 * comes between: a change that then fails leaves a wait behind. `change` tells this attempt from the person's others, so
 * that one that is begun again waits once, and one that follows an attempt that failed waits anew.
 */
export async function delayMoneyOut(
  { aggregates, changeWaitMs: waitMs }: MoneyOutDependencies,
  userId: string,
  why: DelayReason,
  change: string,
): Promise<void> {
  if (waitMs === 0) return;
  const id = uuidV5(CHANGES, `${userId}/${why}/${change}`);
  const context = {
    ...SYSTEM_CONTEXT,
    commandId: id,
    requestHash: sha256(id),
    correlationId: id,
    causationId: id,
  };
  await aggregates.accounts.execute(accountStream(userId), { type: 'DelayMoneyOut', why, waitMs }, context);
}
