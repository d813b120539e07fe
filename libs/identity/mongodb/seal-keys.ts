import { damagedRowIn, type DamagedRow, type IdentityStore, type SealKey, type Secrets } from '#identity';
import { change, removeAll, text, type Answer, type Documents, type MongoConnection } from '#mongodb';
import type { People, Person } from './people.js';

export const SEAL_KEYS = 'identity.seal-keys';

type Part = Pick<IdentityStore, 'sealKeys' | 'putSealKey' | 'keepSealKeys' | 'renewSecrets'>;

/** Among ids of documents: those of keys don't begin so. */
const NONE = '(none)';
const documentOf = (id: string) => (id === '' ? NONE : id);

/** The keys that secrets of the store may be sealed with. There are few. */
export async function readSealKeys({ find }: Pick<MongoConnection, 'find'>): Promise<readonly SealKey[]> {
  const found = await find(SEAL_KEYS, {}, { sort: { _id: 1 } });
  return found
    .map((stored) => ({ id: text(stored, '_id').replace(NONE, ''), proof: text(stored, 'proof') }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The store's operations on keys outside it, and on what is sealed with them. */
export function sealKeysPart(people: People): Part {
  const { connection, collection } = people;
  const keys: Documents<{ readonly proof: string }> = {
    connection,
    collection: SEAL_KEYS,
    from: (stored: Answer) => ({ proof: text(stored, 'proof') }),
  };
  return {
    sealKeys: () => readSealKeys(connection),
    putSealKey: ({ id, proof }) =>
      change(keys, documentOf(id), (there) => ({
        ...(there === undefined ? { next: { proof } } : {}),
        result: undefined,
      })),
    keepSealKeys: async (ids) => {
      await removeAll(keys, { _id: { $nin: ids.map(documentOf) } });
    },
    renewSecrets: async (after, limit, renew) => {
      const some = { sort: { _id: 1 }, limit, projection: { _id: 1 } } as const;
      const found = await connection.find(collection, { _id: { $gt: after } }, some);
      const damaged: DamagedRow[] = [];
      let changed = 0;
      for (const stored of found) {
        const outcome = await renewOne(people, text(stored, '_id'), renew).catch(damagedOnly);
        if (typeof outcome === 'number') changed += outcome;
        else damaged.push(outcome);
      }
      const last = found.at(-1);
      return {
        seen: found.length,
        changed,
        damaged,
        ...(last === undefined || found.length < limit ? {} : { last: text(last, '_id') }),
      };
    },
  };
}

/** The document that an error refuses; any other error is thrown. */
function damagedOnly(error: unknown): DamagedRow {
  const damaged = damagedRowIn(error);
  if (damaged === undefined) throw error;
  return damaged;
}

function renewOne(
  people: People,
  userId: string,
  renew: (userId: string, secrets: Secrets) => Secrets,
): Promise<number> {
  return change<Person, number>(people, userId, (person) => {
    if (person === undefined) return { result: 0 };
    const renewed = renew(userId, secretsOf(person));
    if (Object.keys(renewed).length === 0) return { result: 0 };
    return { next: withSecrets(person, renewed), result: 1 };
  });
}

function secretsOf({ key, credential, pin }: Person): Secrets {
  return {
    ...(key === undefined ? {} : { key: Uint8Array.from(Buffer.from(key, 'base64')) }),
    ...(credential === undefined || credential.state === 'erased'
      ? {}
      : { passwordHash: credential.passwordHash }),
    ...(pin === undefined ? {} : { pinHash: pin.hash }),
  };
}

function withSecrets(person: Person, { key, passwordHash, pinHash }: Secrets): Person {
  const { credential, pin } = person;
  return {
    ...person,
    ...(key === undefined ? {} : { key: Buffer.from(key).toString('base64') }),
    ...(passwordHash === undefined || credential === undefined || credential.state === 'erased'
      ? {}
      : { credential: { ...credential, passwordHash } }),
    ...(pinHash === undefined || pin === undefined ? {} : { pin: { ...pin, hash: pinHash } }),
  };
}
