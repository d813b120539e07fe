import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { createPeople } from './person.mjs';
import { startProjector } from './projector.mjs';

const DAY = 24 * 60 * 60 * 1_000;
/** Streams that are written at once. */
const UNDER_WAY = 512;
/** How long the read models may take to see everything, and how often it is said how far they are; milliseconds. */
const PATIENCE = 3_600_000;
const SAY = 15_000;
const SYSTEM = { kind: 'system', id: 'bench', role: 'system' };

/**
 * The bonus tick over `accounts` customers, each with one day due: the job itself with the embedded log and the
 * projector in its thread, as the program runs it. Then the tick once more, when there is nothing left to pay.
 */
export async function measureTick(root, folder, accounts, say) {
  const dist = (...path) => import(join(root, 'dist', ...path, 'index.js'));
  const { openEngines } = await dist('libs', 'engines');
  const { createAggregates, settingsInForce } = await dist('libs', 'application');
  const { STATE_CACHE_MIB } = await dist('libs', 'commands');
  const { bonusTick, bonusWorkerThreads } = await dist('services', 'worker');
  const clock = () => Date.now();

  const engines = await openEngines({ dataFolder: folder }, 'serve', say);
  const { events: eventStore, models: readStore } = engines;
  await writeCustomers(root, eventStore, accounts, say);
  const { feed, stop } = await startProjector(root, engines, say);
  await caughtUp(eventStore, feed, say);

  const aggregates = createAggregates({ eventStore, clock });
  const job = bonusTick({
    readStore,
    workers: () => bonusWorkerThreads({ engines, stateCacheBytes: STATE_CACHE_MIB * 1_024 * 1_024 }),
    settingsInForce: () => settingsInForce(aggregates),
    clock,
  });
  const run = async () => {
    const from = performance.now();
    const report = await job.run({
      slot: new Date(clock()).toISOString(),
      attempt: 1,
      signal: new AbortController().signal,
    });
    return { report, seconds: (performance.now() - from) / 1_000 };
  };
  const first = await run();
  if (first.report.accrued !== accounts)
    throw new Error(`the tick paid ${first.report.accrued} of ${accounts} accounts`);
  const from = performance.now();
  await caughtUp(eventStore, feed, say);
  const behind = (performance.now() - from) / 1_000;
  const second = await run();
  if (second.report.accrued !== 0) throw new Error('the tick paid twice');
  await stop();
  await engines.close();
  const many = accounts.toLocaleString('en');
  return [
    {
      name: 'bonus tick: accounts paid',
      perSecond: accounts / first.seconds,
      note: `${many} in ${first.seconds.toFixed(1)} s; read models ${behind.toFixed(1)} s later`,
    },
    { name: 'bonus tick: nothing due', note: `${(second.seconds * 1_000).toFixed(1)} ms` },
  ];
}

/** A log of customers with a hundred dollars each, whose bonus cycle began a day and a half ago. */
async function writeCustomers(root, store, count, say) {
  const { newPerson, carryOut } = await createPeople(root);
  const { defaultBonusPolicy: policy, PRICE_SCALE } = await import(
    join(root, 'dist', 'libs', 'ledger', 'index.js')
  );
  const one = 10n ** BigInt(PRICE_SCALE);
  const prices = { BTC: one, PI: one, USDT: one };
  const at = new Date(Date.now() - 1.5 * DAY).toISOString();
  let next = 0;
  let written = 0;
  const lane = async () => {
    while (next < count) {
      const person = newPerson(next++);
      const { stream, userId } = person;
      const commands = [
        { type: 'OpenAccount', userId, accountNumber: userId, role: 'user', profile: 'v1.sealed' },
        { type: 'AdjustWallet', prices, entries: [{ currency: 'BTC', amount: 10_000n }] },
        { type: 'StartBonusCycle', policy },
      ];
      const events = commands.flatMap((command) => carryOut(person, command, SYSTEM, at));
      await store.append({ stream, expected: 'no-stream', events });
      written += 1;
      if (written % Math.ceil(count / 10) === 0) say(`${written.toLocaleString('en')} accounts written`);
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, lane));
}

/** Waits until every read model has the whole log. */
async function caughtUp(eventStore, feed, say) {
  const head = await eventStore.head();
  const telling = setInterval(() => {
    // While indexes are made the projector does not answer.
    feed.status().then(
      (models) => {
        const least = Math.min(...models.map(({ position }) => Number(position)));
        say(`read models at ${least.toLocaleString('en')} of ${Number(head).toLocaleString('en')}`);
      },
      () => undefined,
    );
  }, SAY);
  try {
    if (!(await feed.waitFor(head, PATIENCE))) throw new Error('the read models did not reach the head');
  } finally {
    clearInterval(telling);
  }
}
