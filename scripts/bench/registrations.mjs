// How the program bears a crowd that registers: one from each of many networks, all at once, and beside them somebody who
// signs in again and again.
import { joinAdmin, joinAs, signInAs, startLode, stopLode } from './api.mjs';
import { quantile, verdict } from './client.mjs';

/** Networks that somebody registers from, as the proxy in front tells them. */
const NETWORKS = 200;
/** What is promised of them, in milliseconds: each registration, and 99 of 100 sign-ins beside. */
const REGISTRATION_MS = 60_000;
const SIGN_IN_MS = 300;

/** The registrations, then the sign-ins alone and beside them. */
export async function measureRegistrations(root, folder) {
  const { child, port, invitation } = await startLode(root, folder, { env: { LODE_PROXIES: '127.0.0.1' } });
  await joinAdmin(port, invitation);
  await joinAs(port, 0);
  const alone = [];
  for (let n = 0; n < NETWORKS; n++) alone.push(await timed(() => signInAs(port, 0)));
  let isOver = false;
  const begun = performance.now();
  const statuses = [];
  const register = (n) => timed(async () => statuses.push(await registerFrom(port, n)));
  const crowd = Promise.all(Array.from({ length: NETWORKS }, (_, n) => register(n))).finally(
    () => (isOver = true),
  );
  const beside = [];
  while (!isOver) beside.push(await timed(() => signInAs(port, 0)));
  const registered = await crowd;
  const seconds = (performance.now() - begun) / 1_000;
  await stopLode(child);
  const refused = statuses.filter((status) => status !== 201).length;
  const slowest = Math.max(...registered);
  const p99 = quantile(sorted(beside), 0.99);
  return [
    {
      name: `API: a registration from each of ${NETWORKS} networks at once`,
      perSecond: NETWORKS / seconds,
      p50: quantile(sorted(registered), 0.5),
      p99: quantile(sorted(registered), 0.99),
      note: `${refused} refused; the slowest ${Math.round(slowest)} ms, ${verdict(slowest, REGISTRATION_MS)}`,
    },
    signIns('API: sign-ins one after the other, alone', alone),
    { ...signIns('API: sign-ins beside these registrations', beside), note: verdict(p99, SIGN_IN_MS) },
  ];
}

function signIns(name, times) {
  const total = times.reduce((sum, ms) => sum + ms, 0);
  return {
    name,
    perSecond: (times.length * 1_000) / total,
    p50: quantile(sorted(times), 0.5),
    p99: quantile(sorted(times), 0.99),
  };
}

function sorted(times) {
  return Float64Array.from(times).sort();
}

async function timed(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function registerFrom(port, n) {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.51.100.${n}` },
    body: JSON.stringify({
      firstname: 'Bench',
      lastname: String(n),
      phone: '1',
      email: `crowd-${n}@example.com`,
      password: 'bench password',
    }),
  });
  await response.text();
  return response.status;
}
