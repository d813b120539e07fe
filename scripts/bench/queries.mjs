import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { call, joinAdmin, PATIENCE, startLode, stopLode, untilIdle } from './api.mjs';
import { drive, jsonRequest, quantile } from './client.mjs';
import { historyIn, progress } from './history.mjs';
import { startProjector } from './projector.mjs';

/** Requests of a row, and those before it that are not counted. */
const REQUESTS = 1_000;
const WARM_UP = 100;
/** How often the progress of the read models is asked for, in milliseconds. */
const ASK_MS = 2_000;

/**
 * A log of `events` events, written when it is not in `folder` already: how soon all read models are made from it, how
 * soon the program starts on it, and what lists, the audit and accounts as of a moment take over HTTP, one request after
 * the other. Each row is told as soon as it is known.
 */
export async function measureQueries(root, folder, events, { row, say }) {
  const sample = await historyIn(root, folder, events, say);
  const readModels = join(folder, 'read-models.sqlite');
  if (!existsSync(readModels)) row('rebuild of all read models, events', await rebuild(root, folder, say));
  const before = performance.now();
  const { child, port, invitation, readyAt } = await startLode(root, folder);
  const note = `on ${sample.written.toLocaleString('en')} events`;
  const started = readyAt - before;
  row('start of the program', { p50: started, p99: started, note });
  // In a folder that was kept somebody is admin already.
  const token = await joinAdmin(port, invitation);
  const idle = await untilIdle(port, token);
  say(`reactors and jobs did what the log left to do, and the read models saw it, in ${idle.toFixed(1)} s`);
  for (const [name, pathOf] of await askedOf(sample, (path) =>
    call(port, 'GET', path, undefined, { token }),
  )) {
    const { wrong, statuses, latencies } = await drive({
      port,
      connections: 1,
      requests: REQUESTS,
      skip: WARM_UP,
      expected: 200,
      requestFor: (_, n) => jsonRequest({ method: 'GET', path: pathOf(n), token }),
    });
    const perSecond = 1_000 / (latencies.reduce((sum, time) => sum + time, 0) / latencies.length);
    const figures = { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
    row(`query: ${name}`, { ...figures, note: wrong === 0 ? note : JSON.stringify(statuses) });
  }
  await stopLode(child);
}

/** Events a second from the log into all read models, from nothing, in the projector. */
async function rebuild(root, folder, say) {
  const { openEngines } = await import(join(root, 'dist', 'libs', 'engines', 'index.js'));
  const readModelsFile = join(folder, 'read-models.sqlite');
  const engines = await openEngines({ dataFolder: folder }, 'serve', say);
  const head = await engines.events.head();
  const start = performance.now();
  const projector = await startProjector(root, engines, say);
  const tell = progress(Number(head), 'events in the read models', say);
  // While indexes are made the projector does not answer.
  const asking = setInterval(() => {
    void projector.feed
      .status()
      .then((models) => tell(Math.min(...models.map(({ position }) => Number(position)))))
      .catch(() => say('the indexes are being made'));
  }, ASK_MS);
  const isThere = await projector.feed.waitFor(head, PATIENCE);
  clearInterval(asking);
  const elapsed = (performance.now() - start) / 1_000;
  await projector.stop();
  await engines.close();
  if (!isThere) {
    rmSync(readModelsFile);
    throw new Error('the rebuild did not reach the head');
  }
  const size = Math.round(statSync(readModelsFile).size / 1_048_576);
  return {
    perSecond: Number(head) / elapsed,
    note: `${Number(head).toLocaleString('en')} events in ${elapsed.toFixed(1)} s, ${size} MiB`,
  };
}

/** Numbers between 0 and 1, spread evenly. */
const spread = (n) => (n * 0.618_034) % 1;
/** Pages into a list at which it is asked for too. */
const DEEP = 10;

/** What is asked: the name of a row, and the path of its nth request. */
async function askedOf(sample, get) {
  const { users, longUsers, events, from, to, written } = sample;
  const person = (n) => users[(n * 7) % users.length];
  const user = (n) => person(n).userId;
  const long = (n) => longUsers[n % longUsers.length];
  const instant = (n) => new Date(from + spread(n) * (to - from)).toISOString();
  const since = ({ opened }, n) => new Date(opened + spread(n) * (to - opened)).toISOString();
  const position = (n) => 1 + Math.floor(spread(n) * written);
  const within = (n) => person(n).position + Math.floor(spread(n) * (written - person(n).position));
  return [
    ['all fund requests, newest', () => '/api/fund-requests'],
    ['fund requests that are open', () => '/api/fund-requests?status=Pending'],
    ['fund requests in one currency', () => '/api/fund-requests?currency=PI'],
    ['fund requests, open in one currency', () => '/api/fund-requests?status=Pending&currency=PI'],
    ['fund requests, ten pages in', await deepPath('/api/fund-requests?status=confirmed', get)],
    ['a person’s fund requests', (n) => `/api/accounts/${user(n)}/fund-requests`],
    ['withdrawals that are open', () => '/api/withdrawals?status=Pending'],
    ['transfers, newest', () => '/api/transfers'],
    ['all transactions, newest', () => '/api/transactions'],
    ['transactions of a type and currency', () => '/api/transactions?type=debit&currency=BTC'],
    ['transactions, ten pages in', await deepPath('/api/transactions', get)],
    ['a person’s transactions', (n) => `/api/accounts/${user(n)}/transactions`],
    ['accounts, newest', () => '/api/accounts'],
    ['accounts by a name', (n) => `/api/accounts?search=${['ada', 'olga', 'jensen', 'ravi'][n % 4]}`],
    ['an account by its e-mail', (n) => `/api/accounts?search=ada.berg.${n}@example.com`],
    ['events, newest', () => '/api/events'],
    ['events from an instant on', (n) => `/api/events?order=oldest&from=${instant(n)}`],
    ['events of a person', (n) => `/api/events?person=${user(n)}`],
    [
      'events of a type and an actor from an instant on',
      (n) => `/api/events?type=FundingRejected&actor=admin-1&order=oldest&from=${instant(n)}`,
    ],
    ['an event by its id', (n) => `/api/events/${events[n % events.length]}`],
    ['an account as of an instant', (n) => `/api/accounts/${user(n)}/as-of?at=${since(person(n), n)}`],
    ['an account as of a position', (n) => `/api/accounts/${user(n)}/as-of?position=${within(n)}`],
    [
      'a long account as of an instant',
      (n) => `/api/accounts/${long(n).userId}/as-of?at=${since(long(n), n)}`,
    ],
    ['why a balance is what it is', (n) => `/api/accounts/${user(n)}/why/USD`],
    ['why a long account’s balance is what it is', (n) => `/api/accounts/${long(n).userId}/why/BTC`],
    ['trial balance, now', () => '/api/trial-balance'],
    ['trial balance as of a position', (n) => `/api/trial-balance?position=${position(n)}`],
    ['trial balance as of an instant', (n) => `/api/trial-balance?at=${instant(n)}`],
  ];
}

/** The path of a page further into a list. */
async function deepPath(path, get) {
  let deep = path;
  for (let page = 0; page < DEEP; page++) {
    const { next } = await get(deep);
    if (next === null) break;
    deep = `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(next)}`;
  }
  return () => deep;
}
