import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fundRequest, newLife, nextCommand, requestIdOf, userIdOf } from './life.mjs';
import { createPeople } from './person.mjs';

/** Events of an append, appends under way at once, and accounts whose histories grow side by side. */
const EVENTS = 16;
const UNDER_WAY = 256;
const ACCOUNTS = 4_096;
/** Events for which one more person is expected at most, so that the keys of all can be made together. */
const EVENTS_A_PERSON = 96;
/** Milliseconds of the log's own time between two events. */
const STEP = 1_500;
const START = Date.parse('2020-01-01T00:00:00.000Z');
/** One of so many people, and the id of one of so many appends, are kept to ask for later; so is who lives long. */
const SAMPLED = { people: 17, appends: 101 };
/** Another one says that logs written before are not what this would write. */
const FORMAT = 2;

/**
 * The log of `count` events in `folder`: the one that is there, else a new one. Says how far it is. Answers with some of
 * the users, when each was opened, ids of some events, and the time that the log covers.
 */
export async function historyIn(root, folder, count, say) {
  const note = join(folder, 'history.json');
  if (existsSync(note)) {
    const known = JSON.parse(readFileSync(note, 'utf8'));
    if (known.format === FORMAT && known.count === count) {
      say(`the log of ${known.written.toLocaleString('en')} events is there already`);
      return known;
    }
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tools = await toolsFor(root, folder);
  makeKeys(tools, join(folder, 'identity.sqlite'), ACCOUNTS + Math.ceil(count / EVENTS_A_PERSON));
  const sample = await write(tools, count, say);
  const whole = { format: FORMAT, count, ...sample };
  writeFileSync(note, JSON.stringify(whole));
  return whole;
}

/** The built libraries that a log is written with. */
async function toolsFor(root, folder) {
  const dist = (...path) => import(join(root, 'dist', 'libs', ...path));
  const { openSqliteEventStore } = await dist('event-store', 'sqlite', 'index.js');
  const { createIdentity } = await dist('identity', 'index.js');
  const { openIdentityStore } = await dist('identity', 'sqlite', 'index.js');
  const ledger = await dist('ledger', 'index.js');
  const { keepChecksums } = await dist('identity', 'sqlite', 'checksums.js');
  const { isLodeError } = await dist('kernel', 'index.js');
  const one = 10n ** BigInt(ledger.PRICE_SCALE);
  return {
    isLodeError,
    keepChecksums,
    people: await createPeople(root),
    store: await openSqliteEventStore({ file: join(folder, 'events.sqlite') }),
    identity: await createIdentity({
      store: await openIdentityStore({ file: join(folder, 'identity.sqlite') }),
      isOpen: async () => true,
    }),
    world: {
      prices: { BTC: one * 60_000n, PI: one / 3n, USDT: one },
      rate: 1_550n * 10n ** BigInt(ledger.RATE_SCALE),
      policy: ledger.defaultBonusPolicy,
    },
  };
}

/** Keys of people who will come, in one commit: past the door, which makes one a commit. */
function makeKeys({ keepChecksums }, file, people) {
  const db = new DatabaseSync(file);
  keepChecksums(db);
  const insert = db.prepare('INSERT INTO person_key (user_id, key) VALUES (?, ?)');
  db.exec('BEGIN IMMEDIATE');
  for (let number = 0; number < people; number++) insert.run(userIdOf(number), randomBytes(32));
  db.exec('COMMIT');
  db.close();
}

async function write(tools, count, say) {
  const { store, identity } = tools;
  const writer = createWriter(tools);
  const sample = { users: [], longUsers: [], events: [], written: 0 };
  const tell = progress(count, 'events written', say);

  const { open } = writer;
  /** Keeps some of those who were opened just now, and the place of the last event of their first append. */
  const sampled = ({ person: { isLong, number, userId } }, { events }, { position }) => {
    if (!isLong && number % SAMPLED.people !== 0) return;
    const whose = { userId, opened: Date.parse(events[0].at), position: Number(position) };
    (isLong ? sample.longUsers : sample.users).push(whose);
  };
  const lane = async (first) => {
    const accounts = [];
    for (let n = 0; n < ACCOUNTS / UNDER_WAY; n++) accounts.push(await open());
    // Where somebody lives long, every second append is that person's.
    const long = accounts.findIndex(({ person }) => person.isLong);
    for (let n = first; sample.written < count; n++) {
      const at = long !== -1 && n % 2 === 0 ? long : (n >> 1) % accounts.length;
      if (accounts[at].revision >= accounts[at].person.life) accounts[at] = await open();
      const append = writer.grow(accounts[at]);
      const appended = await store.append(append);
      if (append.expected === 'no-stream') sampled(accounts[at], append, appended);
      sample.written += append.events.length;
      if (n % SAMPLED.appends === 0) sample.events.push(append.events[0].id);
      tell(sample.written);
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, (_, n) => lane(n)));
  await store.close();
  await identity.close();
  return { ...sample, from: START, to: writer.now() };
}

/** Makes accounts and what they answer to their next commands. */
function createWriter({ people, identity, world, isLodeError }) {
  let count = 0;
  let decided = 0;
  const now = () => START + decided * STEP;

  async function open() {
    const person = newLife(count++);
    const { userId, profile } = person;
    const seal = (data) => identity.personKeys.encryptFor(userId, data);
    const sealed = {
      profile: await seal(profile),
      address: await seal({ walletAddress: `bc1q${userId}` }),
      details: await seal({
        bankName: 'First Bank',
        accountName: profile.lastname,
        accountNumber: '0123456789',
      }),
    };
    return { ...people.newPerson(person.number), person, world: { ...world, sealed } };
  }

  /** The events of an account's next command; a request that it refuses becomes one for funding. */
  function step(account) {
    const { person, state, revision } = account;
    person.asked = undefined;
    const at = new Date(now()).toISOString();
    const carryOut = (command) => people.carryOut(account, command, actorOf(command.type, person), at);
    const command = nextCommand(person, state, revision, now(), account.world);
    try {
      return carryOut(command);
    } catch (error) {
      if (!isLodeError(error)) throw error;
      return carryOut(fundRequest(person, requestIdOf(person, revision), 10_000n, 'USDT'));
    }
  }

  /** The next append of an account. */
  function grow(account) {
    const before = account.revision;
    const events = [];
    while (events.length < EVENTS) {
      const given = step(account);
      account.person.open ??= account.person.asked;
      decided += given.length;
      events.push(...given);
    }
    return { stream: account.stream, expected: before === -1 ? 'no-stream' : before, events };
  }

  return { open, grow, now };
}

/** Customers ask, admins decide, and the bonus is the program's own. */
function actorOf(type, { userId }) {
  if (type === 'AccrueBonus' || type === 'StartBonusCycle')
    return { kind: 'system', id: 'bonus', role: 'system' };
  return /^(Confirm|Reject|Adjust)/.test(type)
    ? { kind: 'person', id: 'admin-1', role: 'admin' }
    : { kind: 'person', id: userId, role: 'user' };
}

/** How often progress is told, in milliseconds. */
const TELL_MS = 10_000;

/** Tells now and then how much of `count` is done, how fast, and how long the rest will take. */
export function progress(count, what, say) {
  const start = performance.now();
  let told = start;
  return (done) => {
    const now = performance.now();
    if (now - told < TELL_MS) return;
    told = now;
    const perSecond = done / ((now - start) / 1_000);
    const left = perSecond === 0 ? '?' : Math.ceil(Math.max(0, count - done) / perSecond);
    say(
      `${done.toLocaleString('en')} of ${count.toLocaleString('en')} ${what}, ` +
        `${Math.round(perSecond).toLocaleString('en')}/s, ${left} s left`,
    );
  };
}
