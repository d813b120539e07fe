import {
  foldEmail,
  FORGOTTEN,
  suspended,
  type Client,
  type Identity,
  type Session,
  type Tokens,
} from '#identity';
import { isLodeError, LodeError } from '#kernel';
import type { Ledger } from '../commands/ledger.js';
import { accountOf, reconcileAccess } from './standing.js';
import { byCaller, type By, type Trail } from './trail.js';

/** Somebody who has just come in. */
export type Entered = { readonly tokens: Tokens; readonly firstname: string };

/** How people come in, stay in and are put out. Every way in goes through here, whatever language the request speaks. */
export type Entrance = {
  /**
   * Opens a session by e-mail and password. Refuses with `invalid_credentials`, `too_many_attempts`,
   * `account_suspended`, `account_not_found`.
   */
  readonly signIn: (
    credentials: { readonly email: string; readonly password: string },
    client: Client,
  ) => Promise<Entered>;
  /** Goes on with a session; `handOver` gets the tokens before anything that can fail, for the old one is used up. */
  readonly refresh: (
    refreshToken: string | undefined,
    client: Client,
    handOver: (tokens: Tokens) => void,
  ) => Promise<Entered>;
  /** Ends the sessions that these access and refresh tokens belong to. */
  readonly signOut: (tokens: readonly (string | undefined)[], client: Client) => Promise<void>;
  /** Asks whoever is signed in for the password again, within the same limits as a sign-in. */
  readonly confirm: (caller: Session, password: string, client: Client) => Promise<void>;
  /** The caller's session goes on; all others end. Refuses with `invalid_credentials`, `password_policy`. */
  readonly changePassword: (
    caller: Session,
    passwords: { readonly old: string; readonly new: string },
    client: Client,
  ) => Promise<void>;
  /**
   * The same for somebody who has signed in just now, without the old password: all sessions end, and the person goes on
   * with a new one. Refuses with `password_policy`.
   */
  readonly replacePassword: (caller: Session, password: string, client: Client) => Promise<Tokens>;
  /** Asks for the transfer pin. Refuses with `pin_missing`, `pin_wrong`, `pin_locked`. */
  readonly confirmPin: (caller: Session, pin: string, client: Client) => Promise<void>;
  /** Ends one session of a person; says how many ended. */
  readonly endSession: (userId: string, sessionId: string, by: By) => Promise<number>;
  /** Ends all of a person's sessions, but for `except`; says how many. */
  readonly endSessions: (userId: string, by: By, except?: string) => Promise<number>;
};

/** Where Nest keeps the entrance. */
export const ENTRANCE = Symbol('entrance');

export type EntranceParts = {
  readonly identity: Identity;
  readonly ledger: Pick<Ledger, 'accounts'>;
  readonly trail: Trail;
};

export function createEntrance(parts: EntranceParts): Entrance {
  const { identity, trail } = parts;
  return {
    signIn: (credentials, client) => signIn(parts, credentials, client),
    refresh: async (refreshToken, client, handOver) => {
      const tokens = await identity.sessions.refresh(refreshToken, client);
      handOver(tokens);
      return { tokens, firstname: await admitted(parts, tokens.session.userId) };
    },
    signOut: async (tokens, client) => {
      for (const token of tokens) {
        const ended = await identity.sessions.endSessionOf(token);
        if (ended === undefined) continue;
        const { userId, sessionId } = ended;
        await trail.note(
          userId,
          { type: 'RecordSessionEnd', sessionId, why: 'signed_out' },
          byCaller(ended, client),
        );
      }
    },
    confirm: async (caller, password, client) => {
      await limited(parts, caller, client, () =>
        identity.credentials.confirmPassword(caller.userId, password),
      );
    },
    changePassword: async (caller, passwords, client) => {
      const { userId, sessionId } = caller;
      identity.credentials.checkPolicy(passwords.new);
      await limited(parts, caller, client, () =>
        identity.credentials.changePassword(userId, passwords, sessionId),
      );
      const by = byCaller(caller, client);
      await trail.note(userId, { type: 'RecordPasswordChange' }, by);
      await trail.note(userId, { type: 'RecordSessionsEnd', why: 'password', except: sessionId }, by);
    },
    replacePassword: async (caller, password, client) => {
      const { userId } = caller;
      const { credentials, sessions } = identity;
      await credentials.replacePassword(userId, password);
      const by = byCaller(caller, client);
      await trail.note(userId, { type: 'RecordPasswordChange' }, by);
      await trail.note(userId, { type: 'RecordSessionsEnd', why: 'password' }, by);
      const known = await credentials.known(userId);
      if (known === undefined) throw new LodeError('account_not_found', 'User not found');
      const tokens = await sessions.start(known, client);
      await recorded(parts, tokens.session, client);
      return tokens;
    },
    confirmPin: (caller, pin, client) => confirmPin(parts, caller, pin, client),
    endSession: async (userId, sessionId, by) => {
      if (!(await identity.sessions.endSession(sessionId, userId))) return 0;
      await trail.note(userId, { type: 'RecordSessionEnd', sessionId, why: 'ended' }, by);
      return 1;
    },
    endSessions: async (userId, by, except) => {
      const ended = await identity.sessions.endAllSessions(userId, except);
      const kept = except === undefined ? {} : { except };
      await trail.note(userId, { type: 'RecordSessionsEnd', why: 'ended', ...kept }, by);
      return ended;
    },
  };
}

async function signIn(
  parts: EntranceParts,
  { email, password }: { readonly email: string; readonly password: string },
  client: Client,
): Promise<Entered> {
  const { attempts, credentials, sessions } = parts.identity;
  const attempt = { account: foldEmail(email), address: client.address };
  attempts.begin(attempt);
  try {
    const person = await credentials.verifyPassword(email, password).catch(async (error: unknown) => {
      // Somebody whom the log has let in again may still be kept out here, when a program was cut off between the two.
      if (!isLodeError(error) || error.code !== 'account_suspended') throw error;
      const known = await credentials.knownByEmail(email);
      if (known !== undefined) await reconcileAccess(parts, known.userId);
      return credentials.verifyPassword(email, password);
    });
    attempts.succeeded(attempt);
    const firstname = await admitted(parts, person.userId);
    const tokens = await sessions.start(person, client);
    await recorded(parts, tokens.session, client);
    return { tokens, firstname };
  } catch (error) {
    const known = await credentials.knownByEmail(email);
    if (known !== undefined) await noteRefusal(parts, known, client, error);
    throw error;
  }
}

/** A session that the trail could not be told of ends before anybody has its tokens. */
async function recorded({ identity, trail }: EntranceParts, session: Session, client: Client): Promise<void> {
  try {
    await trail.signedIn(session, client);
  } catch (error) {
    await identity.sessions.endSession(session.sessionId);
    throw error;
  }
}

/**
 * The first name of somebody who may be in, by what the log says of the account: identity may not have heard of a
 * suspension yet. Refuses with `account_not_found`, `account_suspended`.
 */
async function admitted(parts: EntranceParts, userId: string): Promise<string> {
  const account = await accountOf(parts, userId);
  if (account.status !== 'active') {
    await reconcileAccess(parts, userId);
    throw suspended();
  }
  const person = await parts.identity.personKeys.decryptFor(userId, account.profile);
  if (person === FORGOTTEN) return person;
  const { firstname } = person;
  return typeof firstname === 'string' ? firstname : '';
}

/** Does what asks for the caller's password within the limits of guessing it. */
async function limited(
  parts: EntranceParts,
  caller: Session,
  client: Client,
  work: () => Promise<void>,
): Promise<void> {
  const { attempts, credentials } = parts.identity;
  const known = await credentials.known(caller.userId);
  if (known === undefined) throw new LodeError('account_not_found', 'User not found');
  const attempt = { account: known.email, address: client.address };
  attempts.begin(attempt);
  try {
    await work();
  } catch (error) {
    await noteRefusal(parts, caller, client, error, caller.sessionId);
    throw error;
  }
  attempts.succeeded(attempt);
}

async function confirmPin(
  { identity, trail }: EntranceParts,
  caller: Session,
  pin: string,
  client: Client,
): Promise<void> {
  const { userId } = caller;
  try {
    await identity.transferPins.verify(userId, pin);
  } catch (error) {
    const triesLeft = isLodeError(error) ? error.details['triesLeft'] : undefined;
    if (typeof triesLeft === 'number')
      await trail.note(userId, { type: 'RecordTransferPinRefusal', triesLeft }, byCaller(caller, client));
    throw error;
  }
}

/** Notes that somebody did not get in, when that says something about the person; nobody else's failure does. */
async function noteRefusal(
  { trail }: EntranceParts,
  { userId, role }: { readonly userId: string; readonly role: 'user' | 'admin' },
  client: Client,
  error: unknown,
  session?: string,
): Promise<void> {
  const code = isLodeError(error) ? error.code : undefined;
  if (code !== 'invalid_credentials' && code !== 'account_suspended') return;
  const why = code === 'account_suspended' ? 'suspended' : 'password';
  // Nobody knows who tries to sign in; whoever is signed in is the person.
  const actor =
    session === undefined
      ? ({ kind: 'person', id: 'visitor', role: 'visitor' } as const)
      : ({ kind: 'person', id: userId, role } as const);
  await trail.note(
    userId,
    { type: 'RecordRefusal', why },
    { actor, client, ...(session === undefined ? {} : { session }) },
  );
}
