import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, startLode } from './api.mjs';
import { quantile } from './client.mjs';
import { writeHistory } from './history.mjs';

/** Requests of a row, and those before it that are not counted. */
const REQUESTS = 400;
const WARM_UP = 40;
const PASSWORD = 'bench password';

/**
 * Lists, the audit and accounts as of a moment, asked one after the other over HTTP of a log of `events` events that
 * was written for it. Says how far the writing and the read models are.
 */
export async function measureQueries(root, folder, events, say) {
  mkdirSync(folder, { recursive: true });
  const sample = await writeHistory(root, join(folder, 'events.sqlite'), events, say);
  const { child, port, invitation } = await startLode(root, folder);
  const token = await adminOf(port, invitation);
  const get = (path) => call(port, 'GET', path, undefined, { token });
  await caughtUp(get, say);

  const rows = [];
  const measure = async (name, pathOf) => {
    const times = [];
    for (let n = 0; n < WARM_UP + REQUESTS; n++) {
      const path = pathOf(n);
      const from = performance.now();
      await get(path);
      if (n >= WARM_UP) times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    const perSecond = 1_000 / (times.reduce((sum, time) => sum + time, 0) / times.length);
    rows.push({
      name: `query: ${name}`,
      perSecond,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      note: `of ${sample.written.toLocaleString('en')} events`,
    });
  };
  const person = (n) => sample.users[(n * 7) % sample.users.length];
  const user = (n) => person(n).userId;
  const instant = (n) =>
    new Date(sample.from + ((n * 0.618_034) % 1) * (sample.to - sample.from)).toISOString();
  const since = (n) => {
    const { opened } = person(n);
    return new Date(opened + ((n * 0.618_034) % 1) * (sample.to - opened)).toISOString();
  };
  const position = (n) => 1 + Math.floor(((n * 0.618_034) % 1) * sample.written);

  await measure('fund requests that are open, newest', () => '/api/fund-requests?status=Pending');
  await measure('a person’s fund requests', (n) => `/api/accounts/${user(n)}/fund-requests`);
  await measure('events, newest', () => '/api/events');
  await measure('events from an instant on', (n) => `/api/events?order=oldest&from=${instant(n)}`);
  await measure('events of a person', (n) => `/api/events?person=${user(n)}`);
  await measure(
    'events of a type and an actor from an instant on',
    (n) => `/api/events?type=FundingRejected&actor=admin-1&order=oldest&from=${instant(n)}`,
  );
  await measure('an event by its id', (n) => `/api/events/${sample.events[n % sample.events.length]}`);
  await measure('an account as of an instant', (n) => `/api/accounts/${user(n)}/as-of?at=${since(n)}`);
  await measure('why a balance is what it is', (n) => `/api/accounts/${user(n)}/why/USD`);
  await measure('trial balance, now', () => '/api/trial-balance');
  await measure('trial balance as of a position', (n) => `/api/trial-balance?position=${position(n)}`);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  return rows;
}

async function adminOf(port, invitation) {
  const email = 'bench-admin@example.com';
  const person = { firstname: 'Bench', lastname: 'Admin', phone: '1' };
  await call(port, 'POST', '/api/auth/register', { ...person, email, password: PASSWORD, invitation });
  const { accessToken } = await call(port, 'POST', '/api/auth/sign-in', { email, password: PASSWORD });
  return accessToken;
}

/** Waits until every read model has the whole log. While indexes are made the projector does not answer. */
async function caughtUp(get, say) {
  for (let said = 0; ; said++) {
    const { head, models } = await get('/api/projections').catch(() => ({ head: '0', models: [] }));
    const isCurrent = ({ position, state }) => position === head && state === 'current';
    if (models.length > 0 && models.every(isCurrent)) return;
    const least = Math.min(...models.map(({ position }) => Number(position)));
    if (said % 40 === 39 && models.length > 0)
      say(`read models at ${least.toLocaleString('en')} of ${Number(head).toLocaleString('en')}`);
    await sleep(500);
  }
}
