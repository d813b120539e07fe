import { join } from 'node:path';
import { createPeople } from './person.mjs';

/** Events of an append, appends under way at once, and accounts whose histories grow side by side. */
const EVENTS = 16;
const UNDER_WAY = 256;
const ACCOUNTS = 4_096;
/** Events of an account before another takes its place. */
const LIFE = 128;
/** Milliseconds of the log's own time between two events. */
const STEP = 1_500;
const START = Date.parse('2020-01-01T00:00:00.000Z');

/**
 * Writes a log of `count` events as the ledger decides them: accounts that are opened, ask for funding, are confirmed or
 * rejected, and are adjusted, many of them side by side. Says how far it is. Answers with some of the users, when each
 * was opened, and ids of some events.
 */
export async function writeHistory(root, file, count, say) {
  const dist = (path) => import(join(root, 'dist', 'libs', ...path));
  const { openSqliteEventStore } = await dist(['event-store', 'sqlite', 'index.js']);
  const { PRICE_SCALE } = await dist(['ledger', 'index.js']);
  const { newPerson, carryOut } = await createPeople(root);
  const store = await openSqliteEventStore({ file });
  const one = 10n ** BigInt(PRICE_SCALE);
  const prices = { BTC: one * 60_000n, PI: one / 3n, USDT: one };
  const evidence = { fileId: 'f'.repeat(35), mediaType: 'image/png', bytes: 12_345, sha256: 'ab'.repeat(32) };
  const sample = { users: [], events: [] };
  let people = 0;
  let written = 0;
  let decided = 0;

  const open = () => ({ ...newPerson(people++), open: undefined });

  const commandFor = (account) => {
    const { revision, userId } = account;
    if (revision === -1)
      return { type: 'OpenAccount', userId, accountNumber: userId, role: 'user', profile: 'v1.sealed' };
    if (account.open !== undefined) {
      const requestId = account.open;
      account.open = undefined;
      return revision % 5 === 0
        ? { type: 'RejectFunding', requestId }
        : { type: 'ConfirmFunding', requestId, prices };
    }
    const currency = ['BTC', 'PI', 'USDT'][revision % 3];
    if (revision % 7 === 6)
      return { type: 'AdjustWallet', prices, entries: [{ currency, amount: BigInt(1 + (revision % 90)) }] };
    account.open = `${userId.slice(5)}${revision}`.padStart(34, 'R');
    return { type: 'RequestFunding', requestId: account.open, amount: 12_345n, currency, evidence };
  };

  const grow = (account) => {
    const events = [];
    while (events.length < EVENTS) {
      const command = commandFor(account);
      const isOwn = command.type === 'RequestFunding' || command.type === 'OpenAccount';
      const actor = isOwn
        ? { kind: 'person', id: account.userId, role: 'user' }
        : { kind: 'person', id: 'admin-1', role: 'admin' };
      const time = START + decided * STEP;
      if (account.revision === -1 && account.number % 29 === 1)
        sample.users.push({ userId: account.userId, opened: time });
      const given = carryOut(account, command, actor, new Date(time).toISOString());
      decided += given.length;
      events.push(...given);
    }
    return events;
  };

  const lane = async (first) => {
    const accounts = Array.from({ length: ACCOUNTS / UNDER_WAY }, open);
    for (let n = first; written < count; n++) {
      const at = n % accounts.length;
      if (accounts[at].revision >= LIFE) accounts[at] = open();
      const account = accounts[at];
      const before = account.revision;
      const events = grow(account);
      const { stream } = account;
      await store.append({ stream, expected: before === -1 ? 'no-stream' : before, events });
      if (n % 101 === 0) sample.events.push(events[0].id);
      const tenths = Math.floor((written / count) * 10);
      written += events.length;
      if (Math.floor((written / count) * 10) > tenths) say(`${written.toLocaleString('en')} events written`);
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, (_, n) => lane(n)));
  await store.close();
  return { ...sample, written, from: START, to: START + decided * STEP };
}
