import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { drive, jsonRequest, quantile } from './client.mjs';
import { processorTimeOver } from './processor.mjs';

const CONNECTIONS = 64;
/** Seconds of `sender` that are not counted, where it sends for a time. */
export const WARM_UP = 2;
/** How long the link for the first admin may take to be printed, in milliseconds. */
const LINK_MS = 50;
const PASSWORD = 'bench password';
const PDF = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';
/** How long read models may take to be made, in milliseconds, and how often it is asked whether they are. */
export const PATIENCE = 6 * 3_600_000;
const ASK_MS = 500;
/** US dollars that a customer has to begin with. */
const WALLET = '1000000000';

/** What is commanded: requests of customers need a file each, or the pin, whose hash takes longer than all the rest. */
export const ADJUSTMENT = { amounts: { BTC: '0.01' }, reason: 'bench' };

/** Where that is sent. */
export function adjustmentsOf({ userId }) {
  return `/api/accounts/${userId}/adjustments`;
}

/** Commands a second, and the connections that send them, beside which is measured how soon one is visible. */
export const FIXED = { rate: 3_000, connections: 32 };

/**
 * The built product over HTTP: signed in, validated, decided, durable. Adjustments of 64 accounts and of one, then how
 * long a command takes to be visible in a query, alone, while 32 connections send as many commands as they can, and
 * beside a fixed number of them. The processor time of a command is that of all the program's threads.
 */
export async function measureApi(root, folder, seconds) {
  const { pid, port, admin, people, stop } = await startWithPeople(root, folder);
  const send = sender({ pid, port, admin });
  const rows = [];
  const many = await send({ seconds, personOf: (connection) => people[connection] });
  rows.push(figures('API: durable commands, 64 connections, 64 accounts', many));
  const one = await send({ seconds, personOf: () => people[0] });
  rows.push(figures('API: durable commands, 64 connections, one account', one));
  await untilIdle(port, admin);
  rows.push({
    name: 'API: command to visible in a query, alone',
    ...(await visible(port, admin, people[1], seconds)),
  });
  rows.push({
    name: 'API: command to visible in a query, under load',
    ...(await visibleBeside({ send, port, admin, people, seconds, connections: 32 })),
  });
  rows.push({
    name: `API: command to visible beside ${FIXED.rate.toLocaleString('en')} commands a second`,
    ...(await visibleBeside({ send, port, admin, people, seconds, ...FIXED })),
  });
  await stop();
  return rows;
}

/** The program on a new folder with 64 customers, each with money, and the token of an admin. */
export async function startWithPeople(root, folder) {
  const { child, port, invitation } = await startLode(root, folder);
  const admin = await joinAdmin(port, invitation);
  const people = [];
  // One after the other: many at once from one address look like guessing, and are refused.
  for (let n = 0; n < CONNECTIONS; n++) people.push(await joinWithMoney(port, admin, n));
  return { pid: child.pid, port, admin, people, stop: () => stopLode(child) };
}

/**
 * Sends adjustments as `drive` does, of the account of whom `personOf` tells for a connection: for `seconds` seconds, or
 * `requests` on each connection. Answers with what `drive` does and, when it is for a time, the processor time in seconds that the program has used meanwhile.
 */
export function sender({ pid, port, admin }) {
  return async ({ personOf, seconds, requests, connections = CONNECTIONS, rate }) => {
    const run = randomUUID();
    const [driven, processor] = await Promise.all([
      drive({
        port,
        connections,
        seconds,
        requests,
        rate,
        warmUp: requests === undefined ? WARM_UP : 0,
        expected: 200,
        requestFor: (connection, n) =>
          jsonRequest({
            path: adjustmentsOf(personOf(connection)),
            token: admin,
            key: `${run}-${connection}-${n}`,
            body: ADJUSTMENT,
          }),
      }),
      seconds === undefined ? undefined : processorTimeOver(pid, WARM_UP, seconds),
    ]);
    return { ...driven, processor };
  };
}

/** How soon a command is visible while others are sent: at most `rate` a second, or as many as can be. */
export async function visibleBeside({ send, port, admin, people, seconds, connections, rate }) {
  const load = send({ personOf: (connection) => people[connection + 2], seconds, connections, rate });
  const figures = await visible(port, admin, people[1], seconds + WARM_UP);
  const { done, seconds: time } = await load;
  return { ...figures, note: `beside ${Math.round(done / time).toLocaleString('en')} commands/s` };
}

function figures(name, { done, wrong, seconds, latencies, statuses, processor }) {
  const cost =
    processor === undefined ? '' : `${Math.round((processor / done) * 1e6)} µs of processor a command`;
  const note = wrong === 0 ? cost : `not as expected: ${JSON.stringify(statuses)}`;
  return {
    name,
    perSecond: done / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    note,
  };
}

/** One command after another, each followed by the query that waits for it; from the command's answer to the query's. */
export async function visible(port, admin, person, seconds) {
  const times = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const key = randomUUID();
    const { position } = await call(port, 'POST', adjustmentsOf(person), ADJUSTMENT, { token: admin, key });
    const from = performance.now();
    const page = await call(port, 'GET', `/api/accounts/${person.userId}/transactions?limit=1`, undefined, {
      token: person.token,
      position,
    });
    times.push(performance.now() - from);
    if (page.items[0]?.position !== position) throw new Error('a query did not show the command before it');
  }
  times.sort((a, b) => a - b);
  return { perSecond: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/**
 * Seconds until nothing is left to do in the background: reactors look through a log that is new to them, transfers are
 * carried on and bonus days paid, what comes of it is folded, and read models of an older version are made anew.
 */
export async function untilIdle(port, token) {
  const start = performance.now();
  const ask = (path) => call(port, 'GET', path, undefined, { token });
  for (;;) {
    const [reactors, jobs, projections] = await Promise.all(
      ['/api/reactors', '/api/jobs', '/api/projections'].map(ask),
    );
    const isIdle =
      reactors.items.every(({ state }) => state === 'current') &&
      jobs.items.every(({ runs }) => runs.every(({ state }) => state === 'done')) &&
      projections.models.every(({ state }) => state === 'current');
    if (isIdle) return (performance.now() - start) / 1_000;
    if (performance.now() - start > PATIENCE) throw new Error('the program did not come to rest');
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}

/** Waits until the read models have everything. */
export async function untilFolded(port, token) {
  for (;;) {
    const { models } = await call(port, 'GET', '/api/projections', undefined, { token });
    if (models.every(({ state }) => state === 'current')) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}

/** Starts the built program, or one `part` of it, on a folder; Node is given `flags` before it. What it complains of goes to `complaints`. */
export async function startLode(
  root,
  folder,
  { part = 'lode', flags = [], complaints = 'inherit', env = {} } = {},
) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...flags, join(root, 'dist', 'services', part, 'main.js')],
    {
      // What one address and one customer may ask is raised: a bench has few of each.
      env: {
        ...process.env,
        PORT: '0',
        LODE_DATA: folder,
        LODE_REQUESTS_PER_MINUTE: '1000000000',
        LODE_OPEN_REQUESTS: '1000000000',
        LODE_COMMANDS_PER_HOUR: '1000000000',
        LODE_REGISTRATIONS_PER_HOUR: '1000000000',
        // The log of `queries` was written long ago, by its own clock.
        LODE_CLOCK_AHEAD_DAYS: '3650',
        ...env,
      },
      stdio: ['ignore', 'pipe', complaints],
    },
  );
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const port = /ready at \S+:(\d+)/.exec(printed)?.[1];
      if (port === undefined) return;
      const readyAt = performance.now();
      // Where there is no admin yet, the link for the first one is printed in the same breath.
      setTimeout(() => {
        resolve({ child, port: Number(port), readyAt, invitation: /invitation=(\S+)/.exec(printed)?.[1] });
      }, LINK_MS);
    });
    child.on('exit', () => reject(new Error(`the program did not start:\n${printed}`)));
  });
}

/** Stops the program and waits until it has. */
export async function stopLode(child) {
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
}

/** The token of the admin that the bench makes in a new folder, with the link that it printed. */
export async function joinAdmin(port, invitation) {
  const email = 'bench-admin@example.com';
  const person = { firstname: 'Bench', lastname: 'Admin', phone: '1' };
  if (invitation !== undefined)
    await call(port, 'POST', '/api/auth/register', { ...person, email, password: PASSWORD, invitation });
  return (await signIn(port, email)).accessToken;
}

function signIn(port, email) {
  return call(port, 'POST', '/api/auth/sign-in', { email, password: PASSWORD });
}

/** A token for a customer who has joined before. */
export async function signInAs(port, n) {
  return (await signIn(port, emailOf(n))).accessToken;
}

function emailOf(n) {
  return `bench-${n}@example.com`;
}

/** A new customer. */
export async function joinAs(port, n) {
  const email = emailOf(n);
  const person = { firstname: 'Bench', lastname: String(n), phone: '1' };
  await call(port, 'POST', '/api/auth/register', { ...person, email, password: PASSWORD });
  const { accessToken: token, user } = await signIn(port, email);
  return { token, userId: user.userId };
}

/** A new customer who has money. */
export async function joinWithMoney(port, admin, n) {
  const person = await joinAs(port, n);
  const body = { amounts: { BTC: WALLET }, reason: 'bench' };
  await call(port, 'POST', adjustmentsOf(person), body, { token: admin, key: randomUUID() });
  return person;
}

/** Evidence that was uploaded for one fund request. */
export async function evidenceOf(port, { token }) {
  const form = new FormData();
  form.set('file', new Blob([PDF], { type: 'application/pdf' }), 'receipt.pdf');
  return (await call(port, 'POST', '/api/files', form, { token })).fileId;
}

/** One request; its answer as JSON, or as text. */
export async function call(port, method, path, body, { token, key, position, isText } = {}) {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...(position === undefined ? {} : { 'Lode-Position': position }),
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return isText === true ? response.text() : response.json();
}
