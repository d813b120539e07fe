// What the daily look at everything costs whoever sends commands meanwhile.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { call, joinAdmin, joinWithMoney, sender, startLode, stopLode } from './api.mjs';
import { quantile } from './client.mjs';

/** Commands a second, by so many connections, for so many seconds: over before the look begins, half a minute after the program. */
const LOAD = { rate: 1_000, connections: 32, seconds: 10 };
const PEOPLE = 4;
const ASK_MS = 200;

/** Commands before the look and beside it, of a program that starts on the log in `folder` and has never looked at it. */
export async function measureLook(root, folder) {
  rmSync(join(folder, 'scrub.json'), { force: true });
  const { child, port, invitation } = await startLode(root, folder);
  const admin = await joinAdmin(port, invitation);
  const people = [];
  for (let n = 0; n < PEOPLE; n++) people.push(await joinWithMoney(port, admin, n));
  const send = sender({ pid: child.pid, port, admin });
  const row = async (name) => {
    const { done, seconds, latencies } = await send({
      ...LOAD,
      personOf: (connection) => people[connection % PEOPLE],
    });
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    return { name, perSecond: done / seconds, p50, p99, note: `look: ${await lookOf(port)}` };
  };
  const before = await row('API: commands before the daily look');
  while (!(await lookOf(port)).startsWith('at ')) await setTimeout(ASK_MS);
  const beside = await row('API: commands beside the daily look');
  await stopLode(child);
  return [before, beside];
}

/** What health says of it: where it is, or when it was at its end. */
async function lookOf(port) {
  return (await call(port, 'GET', '/health/ready')).checks.scrub;
}
