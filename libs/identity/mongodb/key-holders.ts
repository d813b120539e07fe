import { KEYS_HELD_MS, type KeyHolder, type KeyHolders } from '#identity';
import { outcomeOf, removeAll, text, type Answer, type MongoConnection } from '#mongodb';

const HOLDERS = 'identity.key-holders';

/** Who is at work on the store: a document each, with until when by the server's clock. */
export function keyHoldersIn(connection: MongoConnection): KeyHolders {
  const { find, write } = connection;
  const until = { $add: ['$$NOW', KEYS_HELD_MS] };
  return {
    hold: async ({ name, where, keys, rewraps }) => {
      const said = { where: { $literal: where }, keys: { $literal: [...keys] }, rewraps };
      const one = { q: { _id: name }, u: [{ $set: { ...said, until } }], upsert: true };
      // What a statement is refused for is in the answer.
      outcomeOf(await write({ update: HOLDERS, updates: [one] }));
    },
    prolong: async (name) => {
      const q = { _id: name, $expr: { $gt: ['$until', '$$NOW'] } };
      const answer = await write({ update: HOLDERS, updates: [{ q, u: [{ $set: { until } }] }] });
      outcomeOf(answer);
      return Number(answer['n']) === 1;
    },
    others: async (name) => {
      // Nobody asks for them again.
      await removeAll({ connection, collection: HOLDERS }, { $expr: { $lte: ['$until', '$$NOW'] } });
      const found = await find(HOLDERS, { _id: { $ne: name } }, { sort: { _id: 1 } });
      return found.map(holderFrom);
    },
    letGo: async (name) => {
      await removeAll({ connection, collection: HOLDERS }, { _id: name });
    },
  };
}

function holderFrom(stored: Answer): KeyHolder {
  const { keys } = stored;
  return {
    name: text(stored, '_id'),
    where: text(stored, 'where'),
    keys: Array.isArray(keys) ? keys.map(String) : [],
    rewraps: stored['rewraps'] === true,
  };
}
