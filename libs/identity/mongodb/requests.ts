import type { IdentityStore, KeptRequest } from '#identity';
import {
  change,
  integer,
  read,
  removeAll,
  text,
  type Answer,
  type Documents,
  type MongoConnection,
} from '#mongodb';

export const REQUESTS = 'identity.requests';
const SECRETS = 'identity.secrets';

type Stored = KeptRequest & { readonly about?: string };
type Part = Pick<
  IdentityStore,
  'secret' | 'keptRequest' | 'beginRequest' | 'answerRequest' | 'forgetRequest'
>;

/** The store's operations on requests that are kept for the case that they are repeated. */
export function requestsPart(connection: MongoConnection): Part {
  const requests: Documents<Stored> = { connection, collection: REQUESTS, from: requestFrom };
  const secrets: Documents<{ readonly value: string }> = {
    connection,
    collection: SECRETS,
    from: (stored) => ({ value: text(stored, 'value') }),
  };
  return {
    secret: async (name, drawn) => {
      const value = await change(secrets, name, (there) => {
        const mine = { value: Buffer.from(drawn).toString('base64') };
        return there === undefined ? { next: mine, result: mine.value } : { result: there.value };
      });
      return Uint8Array.from(Buffer.from(value, 'base64'));
    },

    keptRequest: async (id, now) => {
      const found = await read(requests, id);
      return found === undefined || found.expiresAt <= now ? undefined : withoutAbout(found);
    },

    beginRequest: (id, row) =>
      change<Stored, KeptRequest | undefined>(requests, id, (there) =>
        there === undefined || there.expiresAt <= row.begunAt
          ? { next: row, result: undefined }
          : { result: withoutAbout(there) },
      ),

    answerRequest: (id, seed, { about, answer }) =>
      change(requests, id, (there) =>
        there?.seed === seed
          ? { next: { ...there, about, answer }, result: undefined }
          : { result: undefined },
      ),

    forgetRequest: async (id, seed) => {
      await removeAll(requests, { _id: id, seed, answer: { $exists: false } });
    },
  };
}

/** Deletes what is kept of requests about somebody. */
export async function forgetRequestsAbout(connection: MongoConnection, userId: string): Promise<void> {
  const about = { about: userId };
  const [any] = await connection.find(REQUESTS, about, { limit: 1, projection: { _id: 1 } });
  if (any !== undefined) await removeAll({ connection, collection: REQUESTS }, about);
}

function requestFrom(stored: Answer): Stored {
  return {
    fingerprint: text(stored, 'fingerprint'),
    seed: text(stored, 'seed'),
    begunAt: integer(stored, 'begunAt'),
    expiresAt: integer(stored, 'expiresAt'),
    ...('about' in stored ? { about: text(stored, 'about') } : {}),
    ...('answer' in stored ? { answer: text(stored, 'answer') } : {}),
  };
}

function withoutAbout({ about: _, ...request }: Stored): KeptRequest {
  return request;
}
