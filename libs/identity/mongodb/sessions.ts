import { hasCode } from '#kernel';
import { storeLimits, type IdentityStore, type Rotation, type SessionRow } from '#identity';
import {
  afterWrite,
  change,
  integer,
  listOf,
  read,
  removeAll,
  text,
  tidy,
  type Answer,
  type Documents,
  type MongoConnection,
} from '#mongodb';
import { role } from './members.js';
import { nextEra, present, type People, type Person } from './people.js';

export const SESSIONS = 'identity.sessions';
export const USED = 'identity.used-tokens';

type Part = Pick<
  IdentityStore,
  | 'openSession'
  | 'sessionByAccess'
  | 'sessionByRefresh'
  | 'rotate'
  | 'proveSession'
  | 'endSession'
  | 'endSessionsOf'
  | 'sessionsOf'
>;

type RefreshToken = { readonly hash: string; readonly generation: number };

/** A session with its tokens: of the refresh tokens those of the last two generations, older ones are in `USED`. */
type Stored = Omit<SessionRow, 'sessionId'> & {
  /** The person's when it began. */
  readonly era: number;
  readonly access: readonly Rotation['access'][];
  readonly refresh: readonly RefreshToken[];
};

export type Sessions = Documents<Stored>;

export function sessionsIn(connection: MongoConnection): Sessions {
  return { connection, collection: SESSIONS, from: storedFrom };
}

function storedFrom(stored: Answer): Stored {
  return {
    userId: text(stored, 'userId'),
    role: role(stored),
    createdAt: integer(stored, 'createdAt'),
    lastUsedAt: integer(stored, 'lastUsedAt'),
    address: text(stored, 'address'),
    agent: text(stored, 'agent'),
    idleEndsAt: integer(stored, 'idleEndsAt'),
    endsAt: integer(stored, 'endsAt'),
    generation: integer(stored, 'generation'),
    rotatedAt: integer(stored, 'rotatedAt'),
    ...('doorSignInAt' in stored ? { doorSignInAt: integer(stored, 'doorSignInAt') } : {}),
    ...('provedAt' in stored ? { provedAt: integer(stored, 'provedAt') } : {}),
    era: integer(stored, 'era'),
    access: listOf(stored['access']).map((one) => ({
      hash: text(one, 'hash'),
      expiresAt: integer(one, 'expiresAt'),
    })),
    refresh: listOf(stored['refresh']).map((one) => ({
      hash: text(one, 'hash'),
      generation: integer(one, 'generation'),
    })),
  };
}

function rowOf(sessionId: string, { era: _, access: __, refresh: ___, ...row }: Stored): SessionRow {
  return { sessionId, ...row };
}

/** Whether the person's document lets a session live. */
function isAlive(sessionId: string, { era }: Pick<Stored, 'era'>, person: Person | undefined): boolean {
  if (person?.credential?.state === 'erased' || person?.credential?.suspended === true) return false;
  return era === (person?.era ?? 0) || person?.kept === sessionId;
}

/** Whether a session that is over is there still because a suspension ended it. */
function isSuspended({ credential }: Person): boolean {
  return credential?.suspended === true && credential.state !== 'erased';
}

/** A session that is not over, or that a suspension ended. */
async function standing(people: People, sessionId: string, stored: Stored | undefined) {
  if (stored === undefined) return undefined;
  const person = await read(people, stored.userId);
  if (isAlive(sessionId, stored, person)) return { stored, isSuspended: false };
  return person !== undefined && isSuspended(person) ? { stored, isSuspended: true } : undefined;
}

/** A session that is not over. */
async function aliveOne(people: People, sessionId: string, stored: Stored | undefined) {
  const found = await standing(people, sessionId, stored);
  return found?.isSuspended === false ? found.stored : undefined;
}

function proveSession(
  people: People,
  sessions: Sessions,
  sessionId: string,
  userId: string,
  at: number,
): Promise<boolean> {
  return change<Stored, boolean>(sessions, sessionId, async (stored) => {
    const current = await aliveOne(people, sessionId, stored);
    if (current?.userId !== userId) return { result: false };
    return { next: { ...current, provedAt: at }, result: true };
  });
}

/** The store's operations on sessions and their tokens. */
export function sessionsPart(people: People, sessions: Sessions): Part {
  const alive = (sessionId: string, stored: Stored | undefined) => aliveOne(people, sessionId, stored);
  const { connection } = people;
  const findBy = async (member: string, hash: string) => {
    const [found] = await connection.find(SESSIONS, { [member]: hash }, { limit: 1 });
    if (found === undefined) return undefined;
    const sessionId = text(found, '_id');
    const known = await standing(people, sessionId, storedFrom(found));
    return known && { session: rowOf(sessionId, known.stored), ...known };
  };

  return {
    openSession: (session, access, refreshHash, epoch) =>
      openSession(people, sessions, { session, access, refreshHash, epoch }),

    sessionByAccess: async (hash) => {
      const found = await findBy('access.hash', hash);
      if (found === undefined || found.isSuspended) return undefined;
      const token = found.stored.access.find((one) => one.hash === hash);
      return token && { session: found.session, expiresAt: token.expiresAt };
    },

    sessionByRefresh: async (hash) => {
      const found = await findBy('refresh.hash', hash);
      const token = found?.stored.refresh.find((one) => one.hash === hash);
      if (found !== undefined && token !== undefined)
        return { session: found.session, generation: token.generation, isSuspended: found.isSuspended };
      // Asked second: a token is there before it leaves the session.
      const [used] = await connection.find(USED, { _id: hash }, { limit: 1 });
      if (used === undefined) return undefined;
      const sessionId = text(used, 'sessionId');
      const known = await standing(people, sessionId, await read(sessions, sessionId));
      if (known === undefined) return undefined;
      const { stored, isSuspended: isKeptOut } = known;
      return {
        session: rowOf(sessionId, stored),
        generation: integer(used, 'generation'),
        isSuspended: isKeptOut,
      };
    },

    rotate: (rotation) =>
      change(sessions, rotation.sessionId, async (stored) => {
        const current = await alive(rotation.sessionId, stored);
        if (current?.generation !== rotation.expectedGeneration) return { result: 'conflict' };
        return rotated(connection, current, rotation);
      }),

    proveSession: (...given) => proveSession(people, sessions, ...given),

    endSession: (sessionId) => endSession(sessions, sessionId),

    endSessionsOf: (userId, except) => endSessions(people, sessions, userId, except),

    sessionsOf: async (userId, now) => {
      const person = await read(people, userId);
      const found = await connection.find(
        SESSIONS,
        { userId, idleEndsAt: { $gt: now }, $or: [{ era: person?.era ?? 0 }, { _id: person?.kept ?? '' }] },
        { sort: LAST_USED_FIRST, limit: storeLimits.sessionsPerPerson },
      );
      return found
        .filter((one) => isAlive(text(one, '_id'), storedFrom(one), person))
        .map((one) => rowOf(text(one, '_id'), storedFrom(one)));
    },
  };
}

const LAST_USED_FIRST = { lastUsedAt: -1, _id: 1 } as const;

type Opening = {
  readonly session: SessionRow;
  readonly access: Rotation['access'];
  readonly refreshHash: string;
  readonly epoch: number | undefined;
};

/**
 * 1. The session, of the era that was read: where that has moved on meanwhile, the session is over from its beginning.
 * 2. Those that are too many are deleted. Where that fails there is one too many, until the next one opens.
 */
async function openSession(
  people: People,
  sessions: Sessions,
  { session: { sessionId, ...row }, access, refreshHash, epoch }: Opening,
): Promise<readonly string[] | undefined> {
  const { userId, generation } = row;
  const person = await read(people, userId);
  if (person?.credential !== undefined) {
    const credential = present(person);
    if (credential === undefined || credential.suspended) return undefined;
    if (epoch !== undefined && credential.epoch !== epoch) return undefined;
  }
  const refresh = [{ hash: refreshHash, generation }];
  const next: Stored = { ...row, era: person?.era ?? 0, access: [access], refresh };
  await change(sessions, sessionId, () => ({ next, result: undefined }));
  return afterWrite(async () => {
    const others = await sessions.connection.find(
      SESSIONS,
      { userId, _id: { $ne: sessionId } },
      { sort: LAST_USED_FIRST, limit: storeLimits.batch, projection: { era: 1 } },
    );
    const ids = others
      .filter((one) => isAlive(text(one, '_id'), { era: integer(one, 'era') }, person))
      // The one that opens now has been used last, and so is never the one that has to go.
      .slice(storeLimits.sessionsPerPerson - 1)
      .map((one) => text(one, '_id'));
    if (ids.length > 0) await tidy(() => removeAll(sessions, { _id: { $in: ids } }));
    return ids;
  });
}

/**
 * 1. Refresh tokens of before the last two generations are kept as used ones: what is there twice says the same.
 * 2. The session, with the successors, by whoever calls. Only here the generation moves on, and the tokens can be used.
 */
async function rotated(connection: MongoConnection, current: Stored, rotation: Rotation) {
  const { sessionId, expectedGeneration: _, access, refreshHash, ...moved } = rotation;
  const { generation } = moved;
  const live = current.access.filter(({ expiresAt }) => expiresAt > moved.lastUsedAt);
  if (live.length >= storeLimits.accessTokensPerSession) return { result: 'full' } as const;
  const old = current.refresh.filter((token) => token.generation < generation - 1);
  if (old.length > 0) {
    const used = old.map(({ hash, generation: of }) => ({
      q: { _id: hash },
      u: { sessionId, generation: of, endsAt: current.endsAt },
      upsert: true,
    }));
    await connection.write({ update: USED, updates: used });
    const forgotten = { sessionId, generation: { $lt: generation - storeLimits.generationsRemembered } };
    if (generation > storeLimits.generationsRemembered)
      await tidy(() => removeAll({ connection, collection: USED }, forgotten));
  }
  const refresh = [
    ...current.refresh.filter((token) => !old.includes(token)),
    { hash: refreshHash, generation },
  ];
  return { next: { ...current, ...moved, access: [...live, access], refresh }, result: 'rotated' } as const;
}

async function endSession(sessions: Sessions, sessionId: string): Promise<boolean> {
  const end = () => removeAll(sessions, { _id: sessionId });
  try {
    return (await end()) === 1;
  } catch (error) {
    if (!hasCode(error, 'unknown_outcome')) throw error;
    // It is over once this is answered, be it by this one or by the one before.
    await afterWrite(end);
    return true;
  }
}

/** The session that is to live on, if it is the person's and does. */
export async function keptOf(
  sessions: Sessions,
  person: Person | undefined,
  userId: string,
  except: string | undefined,
): Promise<string | undefined> {
  const stored = except === undefined ? undefined : await read(sessions, except);
  const isKept = stored?.userId === userId && isAlive(except ?? '', stored, person);
  return isKept ? except : undefined;
}

/** Ends a person's sessions, but for one if it is named, and answers with the ids. */
export async function endSessions(
  people: People,
  sessions: Sessions,
  userId: string,
  except?: string,
): Promise<readonly string[]> {
  const [any] = await sessions.connection.find(
    SESSIONS,
    { userId, _id: { $ne: except ?? '' } },
    { limit: 1, projection: { _id: 1 } },
  );
  if (any === undefined) return [];
  const changed = await change<Person, Person>(people, userId, async (person) => {
    const next = nextEra(person, await keptOf(sessions, person, userId, except));
    return { next, result: next };
  });
  return endedBy(sessions, userId, changed);
}

/** The ids of a person's sessions that are over, and are there still. */
export async function overOf(
  { connection }: Sessions,
  userId: string,
  person: Person,
): Promise<readonly string[]> {
  const found = await connection.find(
    SESSIONS,
    { userId },
    { sort: LAST_USED_FIRST, limit: storeLimits.batch, projection: { era: 1 } },
  );
  return found
    .filter((one) => !isAlive(text(one, '_id'), { era: integer(one, 'era') }, person))
    .map((one) => text(one, '_id'));
}

/**
 * The ids of the sessions that a person's document has ended: the second half of what ends them. They were over with
 * that write, and are deleted here, once their ids are known: whoever was not told of them can ask again.
 */
export async function endedBy(
  sessions: Sessions,
  userId: string,
  person: Person,
): Promise<readonly string[]> {
  return afterWrite(async () => {
    const ids = await overOf(sessions, userId, person);
    if (ids.length > 0) await tidy(() => removeAll(sessions, { _id: { $in: ids } }));
    return ids;
  });
}
