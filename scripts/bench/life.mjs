// What the people of a made-up log do, one command after another: decided by numbers drawn from the account's own
// number, so that the same log is written every time.

const HOUR_MS = 3_600_000;
/** Events of most accounts before another takes its place: between these two. */
const LIFE = { least: 32, most: 224 };
/** One account of so many lives long, with as many events. */
const LONG = { every: 1_021, life: 20_000 };
const CURRENCIES = ['BTC', 'PI', 'USDT'];
const FIRST_NAMES = [
  'Ada',
  'Chen',
  'Emeka',
  'Fatima',
  'Ines',
  'Jonas',
  'Kofi',
  'Lucía',
  'Mei',
  'Noor',
  'Olga',
  'Ravi',
];
const LAST_NAMES = [
  'Abara',
  'Berg',
  'Castro',
  'Diallo',
  'Eze',
  'Fischer',
  'Gupta',
  'Haddad',
  'Ivanova',
  'Jensen',
];

/** Numbers between 0 and 1 that follow from a seed (mulberry32). */
function numbersFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The id of person `number`. */
export function userIdOf(number) {
  return `user-${String(number).padStart(8, '0')}`;
}

/** A person who will do things: `number` says who. */
export function newLife(number) {
  const draw = numbersFrom(number);
  const pick = (list) => list[Math.floor(draw() * list.length)];
  const isLong = number % LONG.every === 1;
  const life = isLong ? LONG.life : Math.floor(LIFE.least + draw() * (LIFE.most - LIFE.least));
  const userId = userIdOf(number);
  const [firstname, lastname] = [pick(FIRST_NAMES), pick(LAST_NAMES)];
  const email = `${firstname}.${lastname}.${number}@example.com`.toLowerCase();
  return {
    number,
    userId,
    life,
    isLong,
    draw,
    profile: { firstname, lastname, email, phone: `+1 555 ${number}` },
  };
}

/**
 * The next command of a person whose account is in `state` after `revision`, at an instant in milliseconds: an account
 * is opened, gets an address and a bonus cycle; then requests of all kinds are made and decided, amounts are adjusted by
 * hand, and bonus days are paid when they are due.
 */
export function nextCommand(person, state, revision, now, { prices, rate, policy, sealed }) {
  const { draw, userId, number } = person;
  if (revision === -1)
    return {
      type: 'OpenAccount',
      userId,
      accountNumber: String(1_000_000_000 + number),
      role: 'user',
      profile: sealed.profile,
    };
  if (state.bonus === null) return { type: 'StartBonusCycle', policy };
  if (state.addresses.any === undefined) return { type: 'SaveWalletAddress', address: sealed.address };
  if (person.open !== undefined) return decision(person, prices);
  const isDue = now - Date.parse(state.bonus.updatedTime) > 24 * HOUR_MS;
  if (isDue && state.bonus.bonusDays < policy.capDays) return { type: 'AccrueBonus', policy, prices };
  const currency = CURRENCIES[Math.floor(draw() * CURRENCIES.length)];
  const kind = draw();
  if (kind < 0.1) {
    const amount = BigInt(1 + Math.floor(draw() * 5_000));
    return { type: 'AdjustWallet', prices, entries: [{ currency, amount }] };
  }
  const requestId = requestIdOf(person, revision);
  const amount = BigInt(1_000 + Math.floor(draw() * 100_000));
  const isAffordable = state.available.USD > amount + 100n;
  if (isAffordable && kind < 0.3) {
    const wanted = { requestId, amount: amount / 4n, currency, prices };
    person.asked = { requestId, kind: 'Withdrawal' };
    return { type: 'RequestWithdrawal', ...wanted, rate, address: null };
  }
  if (isAffordable && kind < 0.4) {
    const wanted = { requestId, amount: amount / 4n, currency, prices };
    person.asked = { requestId, kind: 'Transfer' };
    return {
      type: 'RequestTransfer',
      transferType: 'local',
      receiver: null,
      ...wanted,
      details: sealed.details,
    };
  }
  return fundRequest(person, requestId, amount, currency);
}

/** The id of the request that a person makes after a revision. */
export function requestIdOf({ userId }, revision) {
  return `${userId.slice(5)}${revision}`.padStart(34, 'R');
}

/** A request for funding, which is never refused. */
export function fundRequest(person, requestId, amount, currency) {
  const evidence = { fileId: requestId, mediaType: 'image/png', bytes: 12_345, sha256: 'ab'.repeat(32) };
  person.asked = { requestId, kind: 'Funding' };
  return { type: 'RequestFunding', requestId, amount, currency, evidence, depositAddress: null };
}

/** Most requests are confirmed. */
function decision(person, prices) {
  const { requestId, kind } = person.open;
  person.open = undefined;
  if (person.draw() < 0.15) return { type: `Reject${kind}`, requestId };
  return kind === 'Funding'
    ? { type: 'ConfirmFunding', requestId, prices }
    : { type: `Confirm${kind}`, requestId };
}
