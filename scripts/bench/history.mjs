import { join } from 'node:path';

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
 * rejected, and are adjusted, many of them side by side. Says how far it is. Answers with some of the users' ids and
 * ids of events.
 */
export async function writeHistory(root, file, count, say) {
  const dist = (path) => import(join(root, 'dist', 'libs', ...path));
  const { openSqliteEventStore } = await dist(['event-store', 'sqlite', 'index.js']);
  const { accountDecider, accountStream, PRICE_SCALE } = await dist(['ledger', 'index.js']);
  const { chainOf, chainStart, commandIdOf, eventId } = await dist(['kernel', 'index.js']);
  const store = await openSqliteEventStore({ file });
  const one = 10n ** BigInt(PRICE_SCALE);
  const prices = { BTC: one * 60_000n, PI: one / 3n, USDT: one };
  const evidence = { fileId: 'f'.repeat(35), mediaType: 'image/png', bytes: 12_345, sha256: 'ab'.repeat(32) };
  const sample = { users: [], events: [] };
  let people = 0;
  let written = 0;
  let decided = 0;

  const open = () => {
    const userId = `user-${String(people++).padStart(8, '0')}`;
    if (people % 97 === 1) sample.users.push(userId);
    return { userId, state: accountDecider.initial, revision: -1, chain: chainStart, open: undefined };
  };

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
      const stream = accountStream(account.userId);
      const isOwn = command.type === 'RequestFunding' || command.type === 'OpenAccount';
      const actor = isOwn
        ? { kind: 'person', id: account.userId, role: 'user' }
        : { kind: 'person', id: 'admin-1', role: 'admin' };
      const commandId = commandIdOf(actor.id, stream, `key-${account.revision}`);
      const meta = {
        actor,
        commandId,
        requestHash: 'ab'.repeat(32),
        correlationId: commandId,
        causationId: commandId,
      };
      const at = new Date(START + decided * STEP).toISOString();
      for (const [index, event] of accountDecider.decide(command, account.state, at).entries()) {
        account.state = accountDecider.evolve(account.state, event);
        account.revision++;
        decided++;
        const { revision } = account;
        const unchained = { ...event, id: eventId(commandId, index), version: 1, stream, revision, at, meta };
        account.chain = chainOf(account.chain, unchained);
        events.push({ ...unchained, meta: { ...meta, chain: account.chain } });
      }
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
      const stream = accountStream(account.userId);
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
