import {
  change,
  claimFor,
  ownerOf,
  connectMongo,
  integer,
  removeAll,
  requireFormat,
  text,
  valueOf,
  type Documents,
  type MongoConnection,
  type MongoOptions,
} from '#mongodb';
import {
  createDamagedRows,
  storeLimits,
  type DamagedRows,
  type IdentityStore,
  type KeyHolders,
  type SealKey,
} from '#identity';
import { plainFailure } from '#kernel';
import { checkDocuments } from './check-documents.js';
import { COUNTS, countsIn, fullBy } from './counts.js';
import { credentialsPart } from './credentials.js';
import { keyHoldersIn } from './key-holders.js';
import { keysPart, networksPart, pinsPart, secondFactorsPart } from './keys.js';
import { LINKS, linksPart, MAILS, mailsPart } from './mail.js';
import { PEOPLE, peopleIn } from './people.js';
import { recordsPart } from './records.js';
import { readSealKeys, sealKeysPart } from './seal-keys.js';
import { REQUESTS, requestsPart } from './requests.js';
import { SESSIONS, sessionsIn, sessionsPart, USED } from './sessions.js';
import { counting, createChangeCount, lookAtStanding, standingPart } from './standing.js';

const INVITATIONS = 'identity.invitations';
const FORMATS = 'identity.format';
/** The layout of the documents. */
const FORMAT = 1;

type Invitation = { readonly hash: string; readonly expiresAt: number };

/**
 * Opens the identity store in a MongoDB database, for any number of programs. It needs no transactions, and so can be a
 * single server. Throws `unavailable` when there is no server, `storage_failed` when a newer Lode wrote there.
 */
export async function openMongoIdentityStore(
  options: MongoOptions,
): Promise<IdentityStore & { readonly keyHolders: KeyHolders }> {
  const connection = await connectMongo(options);
  try {
    await prepare(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
  const counts = countsOf(options);
  const rows = createDamagedRows();
  const [people, sessions] = [peopleIn(connection, rows), sessionsIn(connection)];
  const invitations = invitationsIn(connection, rows);
  const place = { connection, collection: FORMATS };
  const changes = createChangeCount(place);
  const store: IdentityStore = {
    ...credentialsPart(people, sessions),
    ...keysPart(people),
    ...networksPart(people),
    ...pinsPart(people),
    ...secondFactorsPart(people, sessions),
    ...recordsPart(people),
    ...sealKeysPart(people),
    ...requestsPart(connection),
    now: connection.now,
    counts: countsIn(counts.connection),
    ...mailsPart(connection),
    ...linksPart(connection),
    ...sessionsPart(people, sessions),
    ...invitationsPart(invitations),
    platform: () => ownerOf({ connection, collection: FORMATS }),
    claim: (platformId) => claimFor(platformId, { connection, collection: FORMATS }, 'identity store'),
    prune: (now) => prune(connection, now),
    tryChange: () => change(tries(connection), 'try', () => ({ next: {}, result: undefined })),
    watchDamage: rows.watch,
    checkRows: (after, limit) =>
      checkDocuments({ kinds: [people, invitations], completes: true }, after, limit),
    ...standingPart(place, changes),
    close: async () => {
      await Promise.all([connection.close(), counts.close()]);
    },
  };
  return { ...counting(store, changes), keyHolders: keyHoldersIn(connection) };
}

/** Connections of their own for what is only counted, made when something is: many who try much keep nobody from signing in. */
function countsOf(options: MongoOptions) {
  let connecting: Promise<MongoConnection> | undefined;
  let isClosed = false;
  return {
    connection: async () => {
      if (isClosed) throw plainFailure('unavailable', 'The identity store is closed.');
      connecting ??= connectMongo(options).catch((error: unknown) => {
        connecting = undefined;
        throw error;
      });
      return connecting;
    },
    close: async () => {
      isClosed = true;
      const connection = await connecting?.catch(() => undefined);
      await connection?.close();
    },
  };
}

/** The head, how the store stands and how many keys are lost, for whoever opens no store. */
export function mongoStanding(options: MongoOptions): ReturnType<typeof lookAtStanding> {
  return lookAtStanding(FORMATS, options);
}

/**
 * The documents alone, to be looked at beside whoever writes them. Nothing is written, but for the checksums of documents that
 * have none where it `completes` them.
 */
export async function openMongoIdentityRows(
  options: MongoOptions & { readonly completes: boolean },
): Promise<Pick<IdentityStore, 'checkRows' | 'close'>> {
  const { completes } = options;
  const connection = await connectMongo(options);
  const rows = createDamagedRows();
  const kinds = [peopleIn(connection, rows), invitationsIn(connection, rows)];
  return {
    checkRows: (after, limit) => checkDocuments({ kinds, completes }, after, limit),
    close: connection.close,
  };
}

/** Who is in the identity store of a MongoDB database, before anybody makes one there. */
export async function identitiesInMongo(options: MongoOptions): Promise<'missing' | 'nobody' | 'people'> {
  const connection = await connectMongo(options);
  try {
    const [format] = await connection.find(FORMATS, {}, { limit: 1 });
    if (format === undefined) return 'missing';
    const active = { 'credential.state': 'active' };
    const [somebody] = await connection.find(PEOPLE, active, { limit: 1, projection: { _id: 1 } });
    return somebody === undefined ? 'nobody' : 'people';
  } finally {
    await connection.close();
  }
}

/** The keys that secrets of the identity store of a MongoDB database may be sealed with. */
export async function sealKeysInMongo(options: MongoOptions): Promise<readonly SealKey[]> {
  const connection = await connectMongo(options);
  try {
    return await readSealKeys(connection);
  } finally {
    await connection.close();
  }
}

/** What is unique, and how things are found. Made before anything is written; what is there already stays. */
async function prepare(connection: MongoConnection): Promise<void> {
  await requireFormat({ connection, collection: FORMATS }, 'identity', FORMAT, 'identity store');
  for (const [collection, indexes] of Object.entries(INDEXES))
    await connection.write({ createIndexes: collection, indexes });
}

const unique = (member: string) => ({
  name: member,
  key: { [member]: 1 },
  unique: true,
  partialFilterExpression: { [member]: { $exists: true } },
});
const plain = (name: string, ...members: readonly string[]) => ({
  name,
  key: Object.fromEntries(members.map((member) => [member, 1])),
});

const INDEXES = {
  [PEOPLE]: [
    unique('credential.email'),
    unique('credential.accountNumber'),
    {
      ...plain('reserved', 'credential.reservedAt'),
      partialFilterExpression: { 'credential.state': 'reserved' },
    },
    {
      ...plain('admin', 'credential.role'),
      partialFilterExpression: { 'credential.role': 'admin', 'credential.state': 'active' },
    },
  ],
  [SESSIONS]: [
    // Each element of the arrays is one session's alone.
    unique('access.hash'),
    unique('refresh.hash'),
    plain('person', 'userId', 'lastUsedAt'),
    plain('idle', 'idleEndsAt'),
  ],
  [USED]: [plain('session', 'sessionId', 'generation'), plain('end', 'endsAt')],
  [INVITATIONS]: [unique('hash'), plain('expiry', 'expiresAt')],
  [REQUESTS]: [plain('expiry', 'expiresAt'), plain('about', 'about')],
  [MAILS]: [
    { ...plain('due', 'dueAt'), partialFilterExpression: { state: 'queued' } },
    plain('queued', 'queuedAt', '_id'),
    plain('person', 'userId'),
  ],
  [COUNTS]: [plain('full', 'fullAt')],
  [LINKS]: [plain('expiry', 'expiresAt'), plain('person', 'userId')],
} as const;

/** A document that is written to see whether one can be. */
function tries(connection: MongoConnection): Documents<object> {
  return { connection, collection: FORMATS, from: () => ({}) };
}

function invitationsIn(connection: MongoConnection, rows: DamagedRows): Documents<Invitation> {
  return {
    connection,
    collection: INVITATIONS,
    from: (stored) => ({ hash: text(stored, 'hash'), expiresAt: integer(stored, 'expiresAt') }),
    damaged: (id) => rows.refuse({ table: INVITATIONS, id }),
  };
}

function invitationsPart(
  invitations: Documents<Invitation>,
): Pick<IdentityStore, 'putInvitationToken' | 'invitationByToken' | 'invitations'> {
  const { connection } = invitations;
  return {
    putInvitationToken: (invitationId, { hash, expiresAt }) =>
      change(invitations, invitationId, () => ({ next: { hash, expiresAt }, result: undefined })),

    invitations: async (after, limit) => {
      const some = { sort: { _id: 1 }, limit } as const;
      const found = await connection.find(INVITATIONS, { _id: { $gt: after } }, some);
      return found.map((stored) => ({ invitationId: text(stored, '_id'), ...valueOf(invitations, stored) }));
    },

    invitationByToken: async (hash) => {
      const [found] = await connection.find(INVITATIONS, { hash }, { limit: 1 });
      if (found === undefined) return undefined;
      const { expiresAt } = valueOf(invitations, found);
      return { invitationId: text(found, '_id'), expiresAt };
    },
  };
}

/** Access tokens that are over leave with the next refresh of their session, or with it. */
async function prune(connection: MongoConnection, now: number): Promise<number> {
  let pruned = 0;
  for (const [collection, over] of [
    [SESSIONS, { idleEndsAt: { $lt: now } }],
    [USED, { endsAt: { $lt: now } }],
    [INVITATIONS, { expiresAt: { $lt: now } }],
    [REQUESTS, { expiresAt: { $lt: now } }],
    [LINKS, { expiresAt: { $lt: now } }],
    [COUNTS, fullBy(now)],
    [MAILS, { queuedAt: { $lt: now - storeLimits.mailKeptMs }, state: { $ne: 'queued' } }],
  ] as const) {
    const some = { limit: storeLimits.batch, projection: { _id: 1 } };
    const ids = (await connection.find(collection, over, some)).map((one) => one['_id']);
    if (ids.length > 0) pruned += await removeAll({ connection, collection }, { _id: { $in: ids }, ...over });
  }
  return pruned;
}
