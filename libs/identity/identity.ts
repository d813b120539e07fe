import { systemClock, systemRandom, type Clock, type Random } from '#kernel';
import { createAttempts, type Attempts } from './attempts.js';
import { createCredentials, type Credentials } from './credentials.js';
import { createInvitationTokens, type InvitationTokens } from './invitations.js';
import { createPasswords } from './passwords.js';
import { createPersonKeys, type PersonKeys } from './person-keys.js';
import type { IdentityStore } from './port.js';
import { createSessions, type RefreshReuse, type Sessions } from './sessions.js';

export type Identity = {
  readonly credentials: Credentials;
  readonly sessions: Sessions;
  readonly invitations: InvitationTokens;
  readonly personKeys: PersonKeys;
  readonly attempts: Attempts;
  /** Closes the store. */
  readonly close: () => Promise<void>;
};

export type IdentityParts = {
  readonly store: IdentityStore;
  /** Whether the person's account exists in the log. */
  readonly isOpen: (userId: string) => Promise<boolean>;
  readonly clock?: Clock;
  readonly random?: Random;
  /** See `SessionsParts`. */
  readonly trustMs?: number;
  readonly onReuse?: (reuse: RefreshReuse) => void;
};

/** All of identity over one store. */
export async function createIdentity(parts: IdentityParts): Promise<Identity> {
  const { store, isOpen, clock = systemClock, random = systemRandom, trustMs, onReuse } = parts;
  const passwords = await createPasswords(random);
  return {
    credentials: createCredentials({ store, passwords, isOpen, clock, random }),
    sessions: createSessions({
      store,
      clock,
      random,
      ...(trustMs === undefined ? {} : { trustMs }),
      ...(onReuse === undefined ? {} : { onReuse }),
    }),
    invitations: createInvitationTokens({ store, clock, random }),
    personKeys: createPersonKeys({ store, clock, random }),
    attempts: createAttempts(clock),
    close: () => store.close(),
  };
}
