import { createMemoryEventStore } from '#event-store/memory';
import type { CommandContext } from '#commands';
import type { FileMetadata, FilePurpose } from '#files';
import { createAttempts, guardAttempts, localBuckets, type PersonKeys } from '#identity';
import { LodeError, sha256, systemRandom, type Actor, type Clock } from '#kernel';
import { accountStream, perPaymentCurrency, type AccountCommand } from '#ledger';
import { createAggregates } from '../aggregates.js';
import type { PersonalContext } from '../context.js';
import type { AccessAudit } from '../access/audit.js';
import { callerContext, type CallerContext } from '../access/context.js';
import type { ProofDependencies } from '../access/step-up.js';
import { createSettingsInForce } from '../settings/in-force.js';

export const NOW = Date.parse('2030-01-01T00:00:00.000Z');

export const admin: Actor = { kind: 'person', id: 'ann', role: 'admin' };
export const customer = (userId: string): Actor => ({ kind: 'person', id: userId, role: 'user' });

/** The write side over a log in memory, with uploaded files and person keys that a test sets. */
export function createWorld() {
  const eventStore = createMemoryEventStore();
  const clock = () => NOW;
  const aggregates = createAggregates({ eventStore, clock });
  const files = new Map<string, FileMetadata>();
  return {
    eventStore,
    aggregates,
    settings: createSettingsInForce(aggregates),
    admins: { deciders: async () => new Set([admin.id]) },
    verification: { mayNot: [] },
    clock,
    random: systemRandom,
    /** Uploaded files; one that is deleted from here is gone. */
    uploaded: files,
    files: {
      stat: async (fileId: string) => {
        const file = files.get(fileId);
        if (file === undefined) throw new LodeError('file_not_found', 'There is no such file.');
        return file;
      },
    },
    identity: { personKeys: openKeys(), bucketsOf: localBuckets(clock), ...believing(clock) },
    accessAudit: silent,
    changeWaitMs: 0,
    networks: perPaymentCurrency(() => 'none' as const),
    upload: (fileId: string, ownerId: string, purpose: FilePurpose) => {
      const createdAt = new Date(NOW).toISOString();
      files.set(fileId, {
        fileId,
        ownerId,
        purpose,
        mediaType: 'image/png',
        bytes: 3,
        sha256: 'ab',
        createdAt,
      });
    },
    /** Sends a command to an account beside the handlers. */
    tell: (userId: string, command: AccountCommand, key: string = command.type) =>
      aggregates.accounts.execute(accountStream(userId), command, contextOf(admin, key)),
    openCustomer: (userId: string) =>
      aggregates.accounts.execute(
        accountStream(userId),
        { type: 'OpenAccount', userId, accountNumber: '3012345678', role: 'user', profile: 'sealed' },
        contextOf(admin, `open ${userId}`),
      ),
  };
}

/** Takes any password and any pin, of people who have no second factor. */
function believing(clock: Clock): ProofDependencies['identity'] {
  const known = async (userId: string) => ({
    userId,
    email: `${userId}@example.org`,
    accountNumber: '3012345678',
    role: 'user' as const,
    epoch: 0,
    suspended: false,
  });
  return {
    attempts: guardAttempts(createAttempts(clock), undefined),
    codeAttempts: guardAttempts(createAttempts(clock), undefined),
    credentials: { known, confirmPassword: async () => undefined },
    ownNetworks: { has: async () => true },
    passkeys: { verify: async () => undefined },
    secondFactors: { isOn: async () => false, verify: async () => 'code' },
    transferPins: { verify: async () => undefined },
  };
}

const silent: AccessAudit = {
  signedIn: async () => undefined,
  note: async () => undefined,
  record: async () => undefined,
  reused: async () => undefined,
  notRecorded: () => 0,
};

/** A customer who is signed in. */
export const callerOf = (userId: string): CallerContext =>
  callerContext({ userId, role: 'user', sessionId: 's1' }, { address: '192.0.2.1', agent: 'Test/1.0' });

/** Keys that encrypt nothing: what was encrypted can be read in the events. */
function openKeys(): PersonKeys {
  return {
    createKey: async () => {},
    encryptFor: async (userId, data) => `${userId} ${JSON.stringify(data)}`,
    decryptFor: async (userId, text) => JSON.parse(text.slice(userId.length + 1)) as Record<string, never>,
    digestFor: async (userId, text) => sha256(`${userId} ${text}`),
    destroyKey: async () => {},
    giveUpKeys: async () => {},
  };
}

/** The context of a command that `actor` sends under a key; the same key is the same command again. */
export function contextOf(actor: Actor, key: string): CommandContext {
  return { actor, commandId: key, requestHash: sha256(key), correlationId: key, causationId: key };
}

/** The same for a request with personal data. */
export function personalContextOf(actor: Actor, key: string): PersonalContext {
  return {
    actor,
    commandId: key,
    digested: async (digest) => ({ ...contextOf(actor, key), requestHash: await digest(key) }),
  };
}
