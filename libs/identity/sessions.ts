import { LRUCache } from 'lru-cache';
import { LodeError, randomSecret, sha256, uuidV4, type Clock, type Random } from '#kernel';
import { suspended } from './credentials.js';
import { createSessionLooks } from './session-looks.js';
import { storeLimits, type IdentityStore, type Role, type SessionRow, type TokenRow } from './port.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How long an access token is good for. Milliseconds, like all below. */
export const ACCESS_TOKEN_MS = 10 * MINUTE;
/** How long a process trusts what it remembers of an access token where others end sessions too. */
export const SHARED_TRUST_MS = 1_000;
/** A session that nobody refreshes for this long ends. */
export const SESSION_IDLE_MS = 14 * DAY;
/** A session ends after this long, however busy it is. */
export const SESSION_LIFE_MS = 30 * DAY;
/** A session of an admin ends after this long, unless it is set otherwise. */
export const ADMIN_SESSION_MS = 8 * 60 * MINUTE;
/** How long the refresh token before the last may still be used: two tabs refresh at once, or an answer got lost. */
export const REFRESH_OVERLAP_MS = 10_000;
/** Sessions' access tokens that this process remembers. */
export const ACCESS_CACHE_MAX = 100_000;
const ACCESS_PREFIX = 'la_';
const REFRESH_PREFIX = 'lr_';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const AGENT_LENGTH_MAX = 256;
const ADDRESS_LENGTH_MAX = 64;
/** A refresh that loses a race reads again; each loss means that somebody else's refresh went through. */
const REFRESH_TRIES_MAX = 16;
const PRUNE_BATCHES_MAX = 1_000;

/** Where a request came from and with what; kept so that a person can tell their sessions apart. */
export type Client = { readonly address: string; readonly agent: string };

/** What an access token says about whoever shows it. `expiresAt` is in milliseconds since the epoch. */
export type Session = {
  readonly userId: string;
  readonly role: Role;
  readonly sessionId: string;
  readonly expiresAt: number;
  /** When its owner has shown the password at the identity door; nothing where it began elsewhere. */
  readonly doorSignInAt?: number;
  /** When its owner last proved for it who they are, as far as this process remembers. */
  readonly provedAt?: number;
};

/** Of sessions at the identity door: when the password was shown there, which may be this moment. */
export type DoorSignIn = { readonly at: number | 'now' };

/** What a client gets to act for a person. The tokens are secrets that are shown once and not kept. */
export type Tokens = {
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly accessExpiresAt: number;
  readonly refreshToken: string;
  /** When the refresh token ends if it isn't used; milliseconds since the epoch. */
  readonly refreshExpiresAt: number;
  readonly session: Session;
};

export type SessionView = Pick<
  SessionRow,
  'sessionId' | 'createdAt' | 'lastUsedAt' | 'address' | 'agent' | 'endsAt'
>;

/** A used refresh token came back: somebody else may have it. The whole session has ended. */
export type RefreshReuse = { readonly userId: string; readonly sessionId: string; readonly client: Client };

export type Sessions = {
  /**
   * Opens a session for a person who has just shown who they are. Refuses when that is not so any more: with
   * `account_suspended`, or with `invalid_credentials` when the person's `epoch` has moved on.
   */
  readonly start: (
    person: { readonly userId: string; readonly role: Role; readonly epoch?: number },
    client: Client,
    door?: DoorSignIn,
  ) => Promise<Tokens>;
  /**
   * Who shows this access token: at once when this process knows it, else from the store; `as stored` from the store in any
   * case where another process may have ended the session. Refuses (by throwing, or by the promise) with `token_missing`,
   * `token_invalid`, `token_expired`.
   */
  readonly authenticate: (accessToken: string | undefined, how?: 'as stored') => Session | Promise<Session>;
  /**
   * The successors of a refresh token, which is used up by it. Refuses with `token_missing`, `token_invalid` (also for
   * a used token, and then the session ends), `token_expired`, `too_many_attempts`, `account_suspended` (of a session that
   * the suspension ended: nobody else is told of it). The identity door is given none but
   * those of its own sessions.
   */
  readonly refresh: (refreshToken: string | undefined, client: Client, at?: 'door') => Promise<Tokens>;
  /**
   * Keeps that the owner of a session has just proved again who they are. Refuses with `token_invalid` when the session has
   * ended meanwhile.
   */
  readonly prove: (session: Pick<Session, 'sessionId' | 'userId'>) => Promise<number>;
  /**
   * Whether the owner of a session has proved within the last `withinMs` who they are: by what this process remembers, and
   * from the store where another one may know better.
   */
  readonly isProved: (session: Session, withinMs: number) => Promise<boolean>;
  /** Ends one session, and its tokens at once. When `userId` is given it must be that person's. True when it did. */
  readonly endSession: (sessionId: string, userId?: string) => Promise<boolean>;
  /** Whether a session that was authenticated has not ended since: at once when this process knows it. */
  readonly isAlive: (session: Session) => boolean | Promise<boolean>;
  /**
   * Ends the session that an access or a refresh token belongs to and says which. A token that is unknown, or an access
   * token that is over, is nobody's, and that is fine; so is, at the identity door, one of a session that began elsewhere.
   */
  readonly endSessionOf: (
    token: string | undefined,
    at?: 'door',
  ) => Promise<Pick<SessionRow, 'sessionId' | 'userId' | 'role'> | undefined>;
  /** Signs a person out everywhere, but for one session if one is named. Says how many ended. */
  readonly endAllSessions: (userId: string, except?: string) => Promise<number>;
  /** A person's live sessions, the one used last first. `lastUsedAt` is the time of the last refresh. */
  readonly list: (userId: string) => Promise<readonly SessionView[]>;
  /** Deletes what has long ended; says how many rows. */
  readonly prune: () => Promise<number>;
};

export type SessionsParts = {
  readonly store: IdentityStore;
  readonly clock: Clock;
  /** What `trustMs` is counted by: a clock that is put back must make nobody trust for longer. */
  readonly monotonic: Clock;
  readonly random: Random;
  /**
   * How long this process may trust what it remembers of an access token, in milliseconds. Its whole life when this
   * process is the only one that ends sessions; `SHARED_TRUST_MS` when several share the store.
   */
  readonly trustMs?: number;
  /** How long after the sign-in a session of an admin may be gone on with, in milliseconds; `ADMIN_SESSION_MS` when left out. */
  readonly adminSessionMs?: number;
  /** Told when a session ended because a used refresh token came back; the refusal waits for it. */
  readonly onReuse?: (reuse: RefreshReuse) => void | Promise<void>;
};

/** What identity's own parts may do to sessions. */
export type SessionsInside = Sessions & {
  /** Lets go of what this process remembers of sessions that the store has ended. */
  readonly forget: (sessionIds: readonly string[]) => void;
};

/** Sessions: opaque tokens that are looked up, so that ending one is at once. */
export function createSessions(parts: SessionsParts): SessionsInside {
  const { store, clock, monotonic } = parts;
  const looks = createSessionLooks({ store, clock, monotonic, trustMs: SHARED_TRUST_MS });
  const cache = createAccessCache(parts, looks.forget);

  const end = async (sessionId: string): Promise<boolean> => {
    try {
      return await store.endSession(sessionId);
    } finally {
      // Also after an error: it may have happened.
      cache.forget([sessionId]);
    }
  };

  return {
    start: async (person, client, door) => {
      const now = clock();
      const session = newSession(parts, person, client, now, door);
      const tokens = newTokens(parts, session, now);
      const ended = await store.openSession(session, tokens.access, tokens.refreshHash, person.epoch);
      if (ended === undefined) throw await refusalOf(parts, person.userId);
      cache.forget(ended);
      return tokens.shown;
    },
    authenticate: cache.authenticate,
    forget: cache.forget,
    isAlive: (session) => {
      if (session.expiresAt <= clock()) return false;
      return cache.knows(session.sessionId) || looks.isAlive(session.sessionId, session.userId);
    },
    ...provingOf(parts, cache),
    refresh: async (token, client, at) => refresh(parts, end, hashOf(REFRESH_PREFIX, token), client, at),
    endSession: async (sessionId, userId) => {
      if (userId !== undefined && !(await isOwn(parts, sessionId, userId))) return false;
      return end(sessionId);
    },
    endSessionOf: async (token, at) => {
      const session = token === undefined ? undefined : await sessionBy(parts, token);
      if (session === undefined || (at === 'door' && session.doorSignInAt === undefined)) return undefined;
      if (!(await end(session.sessionId))) return undefined;
      const { sessionId, userId, role } = session;
      return { sessionId, userId, role };
    },
    endAllSessions: async (userId, except) => {
      const ended = await store.endSessionsOf(userId, except);
      cache.forget(ended);
      return ended.length;
    },
    list: async (userId) => (await store.sessionsOf(userId, clock())).map(viewOf),
    prune: async () => {
      let rows = 0;
      for (let batch = 0; batch < PRUNE_BATCHES_MAX; batch += 1) {
        const deleted = await store.prune(clock());
        rows += deleted;
        if (deleted < storeLimits.batch) break;
      }
      return rows;
    },
  };
}

function viewOf({ sessionId, createdAt, lastUsedAt, address, agent, endsAt }: SessionRow): SessionView {
  return { sessionId, createdAt, lastUsedAt, address, agent, endsAt };
}

/** That the owner of a session has proved who they are, and whether it is so. */
function provingOf(
  { store, clock, trustMs }: SessionsParts,
  cache: Pick<SessionsInside, 'forget'>,
): Pick<Sessions, 'prove' | 'isProved'> {
  return {
    prove: async ({ sessionId, userId }) => {
      const now = clock();
      const isKept = await store
        .proveSession(sessionId, userId, now)
        .finally(() => cache.forget([sessionId]));
      if (!isKept) throw invalid();
      return now;
    },
    isProved: async ({ sessionId, userId, provedAt }, withinMs) => {
      const now = clock();
      if (isWithin(provedAt, now, withinMs)) return true;
      if (trustMs === undefined) return false;
      const known = (await store.sessionsOf(userId, now)).find((one) => one.sessionId === sessionId);
      return isWithin(known?.provedAt, now, withinMs);
    },
  };
}

/** Whose token it is, of either kind. */
async function sessionBy({ store, clock }: SessionsParts, token: string): Promise<SessionRow | undefined> {
  if (isToken(REFRESH_PREFIX, token)) {
    const found = await store.sessionByRefresh(sha256(token));
    return found?.isSuspended === false ? found.session : undefined;
  }
  if (!isToken(ACCESS_PREFIX, token)) return undefined;
  const found = await store.sessionByAccess(sha256(token));
  return found !== undefined && found.expiresAt > clock() ? found.session : undefined;
}

/** Why no session may begin for somebody who has just shown who they are. */
async function refusalOf({ store }: SessionsParts, userId: string): Promise<LodeError> {
  const row = await store.credentialOf(userId);
  if (row?.suspended === true) return suspended();
  return new LodeError('invalid_credentials', 'Your password was changed meanwhile. Please sign in again.');
}

async function isOwn({ store, clock }: SessionsParts, sessionId: string, userId: string): Promise<boolean> {
  return (await store.sessionsOf(userId, clock())).some((session) => session.sessionId === sessionId);
}

async function refresh(
  parts: SessionsParts,
  end: (sessionId: string) => Promise<boolean>,
  hash: string,
  client: Client,
  at: 'door' | undefined,
): Promise<Tokens> {
  const { store, clock } = parts;
  for (let tries = 0; tries < REFRESH_TRIES_MAX; tries += 1) {
    const found = await store.sessionByRefresh(hash);
    if (found === undefined) throw invalid();
    const now = clock();
    const { generation, isSuspended } = found;
    const session = bounded(parts, found.session);
    // It is not used up: its owner goes on with it where it is of use.
    if (at === 'door' && session.doorSignInAt === undefined) throw invalid();
    const use = useOf(session, generation, now);
    if (use === 'expired') throw expired();
    if (isSuspended) throw suspended();
    if (use === 'reused') {
      await end(session.sessionId);
      await parts.onReuse?.({ userId: session.userId, sessionId: session.sessionId, client });
      throw invalid();
    }
    const next = renewed(session, use, client, now);
    const tokens = newTokens(parts, next, now);
    // What is proved meanwhile is not of before it.
    const { provedAt: _, ...moved } = next;
    const outcome = await store.rotate({
      ...moved,
      expectedGeneration: session.generation,
      access: tokens.access,
      refreshHash: tokens.refreshHash,
    });
    if (outcome === 'rotated') return tokens.shown;
    if (outcome === 'full')
      throw new LodeError('too_many_attempts', 'This session was refreshed too often. Please wait.', {
        retryAfterSeconds: ACCESS_TOKEN_MS / 1_000,
      });
  }
  throw new LodeError('overloaded', 'Too many tabs refresh this session at once. Please try again.');
}

/**
 * What using a refresh token of `generation` means. The newest is good; the one before it is good for a moment and
 * gives a second successor of the same generation; anything older was used and came back.
 */
function useOf(
  session: SessionRow,
  generation: number,
  now: number,
): 'first' | 'overlap' | 'reused' | 'expired' {
  if (now >= Math.min(session.idleEndsAt, session.endsAt)) return 'expired';
  if (generation === session.generation) return 'first';
  const recent = now - session.rotatedAt <= REFRESH_OVERLAP_MS;
  return generation === session.generation - 1 && recent ? 'overlap' : 'reused';
}

function renewed(session: SessionRow, use: 'first' | 'overlap', client: Client, now: number): SessionRow {
  return {
    ...session,
    ...boundedClient(client),
    lastUsedAt: now,
    idleEndsAt: Math.min(now + SESSION_IDLE_MS, session.endsAt),
    generation: use === 'first' ? session.generation + 1 : session.generation,
    rotatedAt: use === 'first' ? now : session.rotatedAt,
  };
}

/** A session as it ends today: an admin's is short, also one that began when it might have been longer. */
function bounded({ adminSessionMs = ADMIN_SESSION_MS }: SessionsParts, session: SessionRow): SessionRow {
  if (session.role !== 'admin') return session;
  const endsAt = Math.min(session.endsAt, session.createdAt + adminSessionMs);
  return { ...session, endsAt, idleEndsAt: Math.min(session.idleEndsAt, endsAt) };
}

/** Whether a time is at most so long ago; one that is still to come, after the clock was set back, is as far away. */
function isWithin(at: number | undefined, now: number, ms: number): boolean {
  return at !== undefined && Math.abs(now - at) <= ms;
}

function newSession(
  parts: SessionsParts,
  person: { readonly userId: string; readonly role: Role },
  client: Client,
  now: number,
  door: DoorSignIn | undefined,
): SessionRow {
  const doorSignInAt = door?.at === 'now' ? now : door?.at;
  return bounded(parts, {
    sessionId: uuidV4(parts.random),
    userId: person.userId,
    role: person.role,
    createdAt: now,
    lastUsedAt: now,
    ...boundedClient(client),
    idleEndsAt: now + SESSION_IDLE_MS,
    endsAt: now + SESSION_LIFE_MS,
    generation: 0,
    rotatedAt: now,
    provedAt: doorSignInAt ?? now,
    ...(doorSignInAt === undefined ? {} : { doorSignInAt }),
  });
}

/** A client as it is kept: what is too long is cut off. */
export function boundedClient(client: Client): Client {
  return {
    address: client.address.slice(0, ADDRESS_LENGTH_MAX),
    agent: client.agent.slice(0, AGENT_LENGTH_MAX),
  };
}

function newTokens({ random }: SessionsParts, session: SessionRow, now: number) {
  const accessToken = ACCESS_PREFIX + randomSecret(random);
  const refreshToken = REFRESH_PREFIX + randomSecret(random);
  const access: TokenRow = {
    hash: sha256(accessToken),
    expiresAt: Math.min(now + ACCESS_TOKEN_MS, session.endsAt),
  };
  const shown: Tokens = {
    accessToken,
    accessExpiresAt: access.expiresAt,
    refreshToken,
    refreshExpiresAt: session.idleEndsAt,
    session: sessionOf(session, access.expiresAt),
  };
  return { shown, access, refreshHash: sha256(refreshToken) };
}

function sessionOf(row: SessionRow, expiresAt: number): Session {
  const { userId, role, sessionId, doorSignInAt, provedAt } = row;
  return {
    userId,
    role,
    sessionId,
    expiresAt,
    ...(doorSignInAt === undefined ? {} : { doorSignInAt }),
    ...(provedAt === undefined ? {} : { provedAt }),
  };
}

/** What is remembered of an access token: whose it is, and when that was asked for, by the monotonic clock. */
type Remembered = { readonly session: Session; readonly askedAt: number };

/** Answers for access tokens from memory, and never longer than the session lives; `onForget` hears which sessions it lets go of. */
function createAccessCache(
  { store, clock, monotonic, trustMs = Infinity }: SessionsParts,
  onForget: (sessionIds: readonly string[]) => void,
) {
  const hashesOf = new Map<string, Set<string>>();
  const known = new LRUCache<string, Remembered>({
    // Room is taken as they come: a bare `max` would have all of it taken at the start.
    maxSize: ACCESS_CACHE_MAX,
    sizeCalculation: () => 1,
    dispose: ({ session: { sessionId } }, hash) => {
      const hashes = hashesOf.get(sessionId);
      hashes?.delete(hash);
      if (hashes?.size === 0) hashesOf.delete(sessionId);
    },
  });
  let endings = 0;

  const isTrusted = ({ askedAt }: Remembered) => monotonic() - askedAt < trustMs;
  const read = async (hash: string): Promise<Session> => {
    const before = endings;
    // What is trusted was so when it was asked for: an answer may take long.
    const askedAt = monotonic();
    const found = await store.sessionByAccess(hash);
    if (found === undefined) {
      known.delete(hash);
      throw invalid();
    }
    if (found.expiresAt <= clock()) throw expired();
    const session = sessionOf(found.session, found.expiresAt);
    // A session that ended while it was being read must not be remembered as alive.
    if (endings === before) {
      known.set(hash, { session, askedAt });
      const hashes = hashesOf.get(session.sessionId);
      if (hashes === undefined) hashesOf.set(session.sessionId, new Set([hash]));
      else hashes.add(hash);
    }
    return session;
  };

  return {
    authenticate: (token: string | undefined, how?: 'as stored'): Session | Promise<Session> => {
      const hash = hashOf(ACCESS_PREFIX, token);
      if (how === 'as stored' && trustMs !== Infinity) return read(hash);
      const hit = known.get(hash);
      if (hit === undefined) return read(hash);
      const isExpired = hit.session.expiresAt <= clock();
      if (!isExpired && isTrusted(hit)) return hit.session;
      known.delete(hash);
      if (isExpired) throw expired();
      return read(hash);
    },
    /** True when the session is remembered and may still be trusted to live. */
    knows: (sessionId: string): boolean =>
      [...(hashesOf.get(sessionId) ?? [])].some((hash) => {
        const hit = known.peek(hash);
        return hit !== undefined && clock() < hit.session.expiresAt && isTrusted(hit);
      }),
    forget: (sessionIds: readonly string[]): void => {
      endings += 1;
      onForget(sessionIds);
      for (const sessionId of sessionIds)
        for (const hash of [...(hashesOf.get(sessionId) ?? [])]) known.delete(hash);
    },
  };
}

function isToken(prefix: string, token: string): boolean {
  return token.startsWith(prefix) && TOKEN.test(token.slice(prefix.length));
}

function hashOf(prefix: string, token: string | undefined): string {
  if (token === undefined || token === '') throw new LodeError('token_missing', 'Please sign in to go on.');
  if (!isToken(prefix, token)) throw invalid();
  return sha256(token);
}

function invalid(): LodeError {
  return new LodeError('token_invalid', 'This session is not valid. Please sign in again.');
}

function expired(): LodeError {
  return new LodeError('token_expired', 'This session has expired. Please sign in again.');
}
