import {
  furtherHead,
  headIn,
  headText,
  type IdentityStanding,
  type IdentityStore,
  type KeptHead,
} from '#identity';
import { hasCode } from '#kernel';
import {
  change,
  connectMongo,
  integer,
  ownerOf,
  read,
  text,
  type Documents,
  type MongoConnection,
  type MongoOptions,
} from '#mongodb';
import { PEOPLE } from './people.js';

/** Ids of the documents, beside those that say whose the store is and how it is laid out. */
const CHANGES = 'changes';
const HEAD = 'head';
/** Ids of lost keys that are counted at a time. */
const PAGE = 1_000;

type Place = { readonly connection: MongoConnection; readonly collection: string };
type Standing = Pick<IdentityStore, 'standing' | 'head' | 'keepHead' | 'lostPersonKeys'>;

/** How the store stands, and the one head that all programs on it keep. */
export function standingPart(place: Place, changes: ChangeCount): Standing {
  const heads = headsIn(place);
  return {
    standing: async () => {
      await changes.written();
      return standingIn(place);
    },
    head: () => headAt(place),
    keepHead: async (head, isAnew = false) => {
      await change(heads, HEAD, (before) => {
        const than = before === undefined ? undefined : headIn(before.text);
        const next = isAnew || than?.kind !== 'head' ? head : furtherHead(head, than.head);
        return next === undefined
          ? { result: undefined }
          : { next: { text: headText(next) }, result: undefined };
      });
      await changes.mark();
    },
    lostPersonKeys: () => lostKeysIn(place.connection),
  };
}

/** Counts the changes that a program makes of a store. */
export type ChangeCount = {
  /** One was made. */
  readonly raise: () => void;
  /** Resolves when all of them so far are counted in the store. */
  readonly written: () => Promise<void>;
  /** Says in the store that a head is kept of it. */
  readonly mark: () => Promise<void>;
};

type Changes = { readonly count: number; readonly hasHead: boolean };

/**
 * They are counted together, before a head is kept: a write for each would double what it costs. A program that dies leaves
 * those out that no head has, which makes no head that is ahead of the count.
 */
export function createChangeCount(place: Place): ChangeCount {
  const counts = changesIn(place);
  let [waiting, isMarked] = [0, false];
  let writing: Promise<void> | undefined;
  const write = async () => {
    while (waiting > 0) {
      const more = waiting;
      await change<Changes, undefined>(counts, CHANGES, ({ count, hasHead } = NONE) => ({
        next: { count: count + more, hasHead },
        result: undefined,
      }));
      waiting -= more;
    }
  };
  return {
    raise: () => void (waiting += 1),
    written: () => (writing ??= write().finally(() => (writing = undefined))),
    mark: async () => {
      if (isMarked) return;
      await change<Changes, undefined>(counts, CHANGES, ({ count, hasHead } = NONE) =>
        hasHead ? { result: undefined } : { next: { count, hasHead: true }, result: undefined },
      );
      isMarked = true;
    },
  };
}

const NONE: Changes = { count: 0, hasHead: false };

function changesIn(place: Place): Documents<Changes> {
  return {
    ...place,
    from: (stored) => ({ count: integer(stored, 'count'), hasHead: stored['hasHead'] === true }),
  };
}

/**
 * The store, with each change counted that must not be lost: one that may have been made, and one that was not needed. What
 * was not written, as hours of them while the server is away, is not counted; of many ids some may have been, whatever failed.
 */
export function counting(store: IdentityStore, { raise }: Pick<ChangeCount, 'raise'>): IdentityStore {
  const ofMany = <T>(work: Promise<T>): Promise<T> => work.finally(raise);
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    const outcome = await work.catch((error: unknown) => {
      if (!hasCode(error, 'unavailable')) raise();
      throw error;
    });
    raise();
    return outcome;
  };
  return {
    ...store,
    reserve: (...given) => counted(store.reserve(...given)),
    takeOver: (...given) => counted(store.takeOver(...given)),
    activate: (...given) => counted(store.activate(...given)),
    release: (...given) => counted(store.release(...given)),
    setPassword: (...given) => counted(store.setPassword(...given)),
    changePassword: (...given) => counted(store.changePassword(...given)),
    changeEmail: (...given) => counted(store.changeEmail(...given)),
    suspend: (...given) => counted(store.suspend(...given)),
    reinstate: (...given) => counted(store.reinstate(...given)),
    eraseCredential: (...given) => counted(store.eraseCredential(...given)),
    putPin: (...given) => counted(store.putPin(...given)),
    takePinTry: (...given) => counted(store.takePinTry(...given)),
    restorePinTries: (...given) => counted(store.restorePinTries(...given)),
    changeSecondFactor: (...given) => counted(store.changeSecondFactor(...given)),
    createPersonKey: (...given) => counted(store.createPersonKey(...given)),
    destroyPersonKey: (...given) => counted(store.destroyPersonKey(...given)),
    giveUpPersonKeys: (...given) => ofMany(store.giveUpPersonKeys(...given)),
    endSession: (...given) => counted(store.endSession(...given)),
    endSessionsOf: (...given) => counted(store.endSessionsOf(...given)),
    putInvitationToken: (...given) => counted(store.putInvitationToken(...given)),
    putPerson: (...given) => counted(store.putPerson(...given)),
    claim: (...given) => counted(store.claim(...given)),
    putSealKey: (...given) => counted(store.putSealKey(...given)),
    keepSealKeys: (...given) => counted(store.keepSealKeys(...given)),
    renewSecrets: (...given) => ofMany(store.renewSecrets(...given)),
  };
}

/** The head, how the store stands and how many keys are lost, for whoever opens no store. */
export function lookAtStanding(collection: string, options: MongoOptions) {
  const looking = async <T>(look: (place: Place) => Promise<T>): Promise<T> => {
    const connection = await connectMongo(options);
    return look({ connection, collection }).finally(connection.close);
  };
  return {
    head: () => looking(headAt),
    standing: () => looking(standingIn),
    lostPersonKeys: () => looking(({ connection }) => lostKeysIn(connection)),
  };
}

function headsIn(place: Place): Documents<{ readonly text: string }> {
  return { ...place, from: (stored) => ({ text: text(stored, 'text') }) };
}

async function headAt({ connection, collection }: Place): Promise<KeptHead> {
  const [stored] = await connection.find(collection, { _id: HEAD }, { limit: 1 });
  return stored === undefined ? { kind: 'none' } : headIn(String(stored['text']));
}

async function standingIn(place: Place): Promise<IdentityStanding> {
  const platformId = await ownerOf(place);
  const { count, hasHead } = (await read(changesIn(place), CHANGES)) ?? NONE;
  return { ...(platformId === undefined ? {} : { platformId }), changes: count, hasHead };
}

async function lostKeysIn(connection: MongoConnection): Promise<number> {
  let [lost, after] = [0, ''];
  for (;;) {
    const wanted = { sort: { _id: 1 }, limit: PAGE, projection: { _id: 1 } } as const;
    const page = await connection.find(PEOPLE, { isLost: true, _id: { $gt: after } }, wanted);
    lost += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return lost;
    after = text(last, '_id');
  }
}
