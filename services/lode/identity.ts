import type { Logger } from 'pino';
import { createAccessAudit, destroyOldNetworkKeys, type AccessAudit, type Aggregates } from '#application';
import type { EventStore } from '#event-store';
import { ABANDONED_MS, createIdentity, SHARED_TRUST_MS, type Identity, type IdentityParts } from '#identity';
import { repeatEvery, type Clock, type Hold, type Random, type Timers } from '#kernel';
import { accountStream } from '#ledger';

/** How often sessions that have long ended and reservations that were abandoned are deleted, in milliseconds. */
const PRUNE_MS = 60 * 60 * 1_000;

/** What identity and its audit stand on. */
export type IdentityOptions = Pick<
  IdentityParts,
  'store' | 'owner' | 'passwordPolicy' | 'keys' | 'publicUrl' | 'adminSessionMs' | 'monotonic' | 'hasher'
> & {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly aggregates: Pick<Aggregates, 'access'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly clock: Clock;
  /** Why nothing is written or deleted by its age just now, because the clock is not accepted. */
  readonly hold: Hold;
  readonly random: Random;
};

/** Identity, and the audit of people's access. */
export type AuditedIdentity = { readonly identity: Identity; readonly accessAudit: AccessAudit };

/** Puts the identities on their store; a used refresh token that comes back is written to the audit. */
export async function openIdentity(options: IdentityOptions): Promise<AuditedIdentity> {
  const { eventStore, aggregates, logger, random, hold, ...parts } = options;
  const identity = await createIdentity({
    ...parts,
    random,
    isOpen: async (userId) => (await eventStore.readStream(accountStream(userId), { limit: 1 })).length > 0,
    // Another program may end a session that this one remembers.
    ...((parts.owner ?? '') === '' ? {} : { trustMs: SHARED_TRUST_MS }),
    onReuse: async (reuse) => {
      const { userId, sessionId } = reuse;
      logger.warn({ userId, sessionId }, 'a used refresh token came back: its session was ended');
      await accessAudit.reused(reuse);
    },
  });
  const accessAudit = createAccessAudit({ identity, aggregates, log: logger, random, hold });
  return { identity, accessAudit };
}

/** Opens identity, deletes what has long ended and keys that are kept no longer, now and from time to time, and sweeps up what was cut off. */
export async function startIdentity(
  { networkDays, ...options }: IdentityOptions & { readonly networkDays: number },
  timers: Timers,
): Promise<AuditedIdentity & { readonly stop: () => void }> {
  const { identity, accessAudit } = await openIdentity(options);
  const { logger, clock, hold } = options;
  // Nothing of this program's own is under way yet: what it reserved was cut off. Others may be in the middle of theirs.
  await identity.credentials.sweepOwn();
  const tidy = async () => {
    if (hold() !== undefined) return;
    await identity.sessions.prune();
    await identity.credentials.sweep(ABANDONED_MS);
    await destroyOldNetworkKeys({ identity, networkDays, clock });
  };
  await tidy();
  const stop = repeatEvery(timers, PRUNE_MS, () => {
    tidy().catch((error: unknown) =>
      logger.error(error, 'old sessions and reservations could not be deleted'),
    );
  });
  return { identity, accessAudit, stop };
}
