import { systemClock, systemMonotonic, systemRandom, type Clock, type Random } from '#kernel';
import {
  ATTEMPT_LIMITS,
  CODE_ATTEMPT_LIMITS,
  createAttempts,
  guardAttempts,
  type AttemptLimits,
  type GuardedAttempts,
} from './attempts.js';
import { createBucketsOf, type BucketsOf } from './buckets.js';
import { createCredentials, type Credentials } from './credentials.js';
import { createInvitationTokens, type InvitationTokens } from './invitations.js';
import { createSealing, type KeyRing } from './key-ring.js';
import { DEFAULT_PASSWORD_POLICY, type PasswordPolicy } from './password-policy.js';
import { createHashing, type Hasher } from './passwords.js';
import { createLinks, type Links } from './links.js';
import { createMails, type Mails } from './mails.js';
import { createKeptRequests, type KeptRequests } from './kept-requests.js';
import { createOwnNetworks, type OwnNetworks } from './networks.js';
import { createPersonKeys, type PersonKeys } from './person-keys.js';
import { createPasskeys, type Passkeys } from './passkeys.js';
import type { IdentityStore } from './port.js';
import { createSecondFactors, type SecondFactors } from './second-factors.js';
import { createSessions, type RefreshReuse, type Sessions } from './sessions.js';
import { createTransferPins, type TransferPins } from './transfer-pins.js';

export type Identity = {
  readonly credentials: Credentials;
  readonly sessions: Sessions;
  readonly transferPins: TransferPins;
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
  /** Which passwords may be chosen. */
  readonly passwordPolicy: PasswordPolicy;
  readonly invitations: InvitationTokens;
  readonly personKeys: PersonKeys;
  readonly attempts: GuardedAttempts;
  /** Those at second factors, by user ids. */
  readonly codeAttempts: GuardedAttempts;
  readonly ownNetworks: OwnNetworks;
  /** Where is counted what one person may do so often. */
  readonly bucketsOf: BucketsOf;
  readonly requests: KeptRequests;
  readonly mails: Mails;
  readonly links: Links;
  /** Closes the store. */
  readonly close: () => Promise<void>;
};

export type IdentityParts = {
  readonly store: IdentityStore;
  /** Which of the programs that share the store this is; the same after a restart. Empty for the only one. */
  readonly owner?: string;
  /** Whether the person's account exists in the log. */
  readonly isOpen: (userId: string) => Promise<boolean>;
  readonly clock?: Clock;
  /** See `SessionsParts`. */
  readonly monotonic?: Clock;
  readonly random?: Random;
  /** See `SessionsParts`. */
  readonly trustMs?: number;
  readonly adminSessionMs?: number;
  readonly onReuse?: (reuse: RefreshReuse) => void | Promise<void>;
  /** The default is eight characters of any kind. */
  readonly passwordPolicy?: PasswordPolicy;
  /** Where people reach the program: whose their passkeys are. Left out, nobody can have or use one. */
  readonly publicUrl?: string;
  /** What makes hashes; argon2 where it is left out. */
  readonly hasher?: Hasher;
  /** What people's secrets are sealed with, which the store was admitted with; the default seals nothing. */
  readonly keys?: KeyRing;
};

/** All of identity over one store. */
export async function createIdentity(parts: IdentityParts): Promise<Identity> {
  const { store, owner = '', isOpen, clock = systemClock, random = systemRandom } = parts;
  const { monotonic = systemMonotonic, trustMs, adminSessionMs, onReuse } = parts;
  const policy = parts.passwordPolicy ?? DEFAULT_PASSWORD_POLICY;
  const hashing = await createHashing(random, parts.hasher);
  const sealing = createSealing(parts.keys ?? [], random);
  const { forget, ...sessions } = createSessions({
    store,
    clock,
    monotonic,
    random,
    ...(trustMs === undefined ? {} : { trustMs }),
    ...(adminSessionMs === undefined ? {} : { adminSessionMs }),
    ...(onReuse === undefined ? {} : { onReuse }),
  });
  const personKeys = createPersonKeys({ store, isOpen, sealing, clock, random });
  const bucketsOf = createBucketsOf({ store, clock, random });
  const sharedClock = store.now ?? (async () => clock());
  const attemptsAt = countingAttempts(store, clock, bucketsOf);
  const factorsParts = { store, personKeys, clock, random, onEnded: forget };
  return {
    credentials: createCredentials({
      store,
      owner,
      passwords: hashing.signIn,
      newPasswords: hashing.register,
      sealing,
      policy,
      isOpen,
      onEnded: forget,
      sharedClock,
      random,
    }),
    sessions,
    transferPins: createTransferPins({ store, passwords: hashing.pin, sealing }),
    secondFactors: createSecondFactors(factorsParts),
    passkeys: createPasskeys({ ...factorsParts, publicUrl: parts.publicUrl }),
    passwordPolicy: policy,
    invitations: createInvitationTokens({ store, clock, random }),
    personKeys,
    attempts: attemptsAt('password', ATTEMPT_LIMITS),
    codeAttempts: attemptsAt('code', CODE_ATTEMPT_LIMITS),
    ownNetworks: createOwnNetworks({ store, personKeys }),
    bucketsOf,
    requests: createKeptRequests({ store, hashing, sealing, clock, random }),
    mails: createMails({ store, personKeys, clock, sharedClock, random }),
    links: createLinks({ store, personKeys, clock, random }),
    close: () => store.close(),
  };
}

/** Attempts of a kind, which programs on one store count together by account. */
function countingAttempts(store: IdentityStore, clock: Clock, bucketsOf: BucketsOf) {
  return (kind: string, limits: AttemptLimits): GuardedAttempts => {
    const together = store.counts && bucketsOf(kind, limits.account);
    return guardAttempts(createAttempts(clock, limits), together);
  };
}
