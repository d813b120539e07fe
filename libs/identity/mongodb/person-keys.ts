import { createPersonKeysReader, orDamaged, type KeyRing, type PersonKeysReader } from '#identity';
import { connectMongo, text, valueOf, type MongoOptions } from '#mongodb';
import { keyOf } from './keys.js';
import { peopleIn } from './people.js';

/**
 * Person keys for a projection, opened with `keys`, as a majority of the servers has them: one find a page. It never writes. Throws
 * `unavailable` when there is no server.
 */
export async function openMongoPersonKeys(
  options: MongoOptions & { readonly keys?: KeyRing },
): Promise<PersonKeysReader> {
  const { keys: ring = [] } = options;
  const connection = await connectMongo(options);
  const people = peopleIn(connection);
  return createPersonKeysReader({
    read: async (userIds) => {
      const some = { limit: userIds.length };
      const found = await connection.find(people.collection, { _id: { $in: userIds } }, some);
      return new Map(
        found.map((stored) => [text(stored, '_id'), orDamaged(() => keyOf(valueOf(people, stored)))]),
      );
    },
    close: connection.close,
    ring,
  });
}
