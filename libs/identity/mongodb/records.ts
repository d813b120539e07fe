import { isDeepStrictEqual } from 'node:util';
import type { IdentityStore, PersonRecord } from '#identity';
import { LodeError } from '#kernel';
import { change, text, valueOf } from '#mongodb';
import type { People, Person } from './people.js';

type Records = Pick<IdentityStore, 'people' | 'putPerson'>;

/** The store's records, for a copy of it. */
export function recordsPart(people: People): Records {
  const { connection, collection } = people;
  return {
    people: async (after, limit) => {
      const found = await connection.find(collection, { _id: { $gt: after } }, { sort: { _id: 1 }, limit });
      return found.map((stored) => recordOf(text(stored, '_id'), valueOf(people, stored)));
    },

    putPerson: (record) =>
      change(
        people,
        record.userId,
        (person) =>
          person === undefined
            ? { next: personOf(record), result: true }
            : { result: isDeepStrictEqual(recordOf(record.userId, person), record) },
        (member) => {
          throw new LodeError('conflict', `Somebody else has the ${member} of person ${record.userId}.`);
        },
      ),
  };
}

function recordOf(userId: string, person: Person): PersonRecord {
  const { credential, key, destroyedAt, isLost, pin, secondFactor } = person;
  return {
    userId,
    ...(credential === undefined ? {} : { credential }),
    ...(key === undefined ? {} : { key: { kind: 'key', key: Uint8Array.from(Buffer.from(key, 'base64')) } }),
    ...(destroyedAt === undefined
      ? {}
      : { key: { kind: 'destroyed', at: destroyedAt, ...(isLost === undefined ? {} : { isLost }) } }),
    ...(pin === undefined ? {} : { pin }),
    ...(secondFactor === undefined ? {} : { secondFactor }),
  };
}

function personOf({ credential, key, pin, secondFactor }: PersonRecord): Person {
  return {
    era: 0,
    ...(credential === undefined ? {} : { credential }),
    ...(key?.kind === 'key' ? { key: Buffer.from(key.key).toString('base64') } : {}),
    ...(key?.kind === 'destroyed' ? { destroyedAt: key.at } : {}),
    ...(key?.kind === 'destroyed' && key.isLost === true ? { isLost: true } : {}),
    ...(pin === undefined ? {} : { pin }),
    ...(secondFactor === undefined ? {} : { secondFactor }),
  };
}
