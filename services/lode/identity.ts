import type { Logger } from 'pino';
import { createAccessAudit, type AccessAudit, type Aggregates } from '#application';
import type { EventStore } from '#event-store';
import { ABANDONED_MS, createIdentity, type Identity, type IdentityStore } from '#identity';
import type { Clock, Random } from '#kernel';
import { accountStream } from '#ledger';
import type { Settings } from './settings.js';

/** How often sessions that have long ended and reservations that were abandoned are deleted, in milliseconds. */
const PRUNE_MS = 60 * 60 * 1_000;

export type IdentityOptions = {
  readonly store: IdentityStore;
  readonly eventStore: EventStore;
  readonly aggregates: Aggregates;
  readonly passwordPolicy: Settings['passwordPolicy'];
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
};

/** Puts the identities on their store, deletes what has long ended now and from time to time, and sweeps up what was cut off. */
export async function startIdentity(
  options: IdentityOptions,
): Promise<{ readonly identity: Identity; readonly accessAudit: AccessAudit; readonly stop: () => void }> {
  const { store, eventStore, aggregates, passwordPolicy, logger, clock, random } = options;
  const isOpen = async (userId: string) =>
    (await eventStore.readStream(accountStream(userId), { limit: 1 })).length > 0;
  const identity = await createIdentity({
    store,
    isOpen,
    clock,
    random,
    passwordPolicy,
    onReuse: async (reuse) => {
      const { userId, sessionId } = reuse;
      logger.warn({ userId, sessionId }, 'a used refresh token came back: its session was ended');
      await accessAudit.reused(reuse);
    },
  });
  const accessAudit = createAccessAudit({ identity, aggregates, log: logger, random });
  // Nothing of this program's own is under way yet: what it reserved was cut off. Others may be in the middle of theirs.
  await identity.credentials.sweepOwn();
  const tidy = async () => {
    await identity.sessions.prune();
    await identity.credentials.sweep(ABANDONED_MS);
  };
  await tidy();
  const pruning = setInterval(() => {
    tidy().catch((error: unknown) =>
      logger.error(error, 'old sessions and reservations could not be deleted'),
    );
  }, PRUNE_MS).unref();
  return { identity, accessAudit, stop: () => clearInterval(pruning) };
}
