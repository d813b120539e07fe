import { createPersonKeysReader, orDamaged, type PersonKeysReader } from '#identity';
import { connectMongo, text, valueOf, type MongoOptions } from '#mongodb';
import { keyOf } from './keys.js';
import { peopleIn } from './people.js';

/**
 * Person keys for a projection, as a majority of the servers has them: one find a page. It never writes. Throws
 * `unavailable` when there is no server.
 */
export async function openMongoPersonKeys(options: MongoOptions): Promise<PersonKeysReader> {
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
  });
}
