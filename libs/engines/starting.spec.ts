import { expect, test } from '@jest/globals';
import { LodeError, systemTimers, type Timers } from '#kernel';
import { leaseLimits } from '#leases';
import { createMemoryLeases, type MemoryLeaseStore } from '#leases/memory';
import { inTurn } from './starting.js';

const LOOKS_OF_TWO_MINUTES = 1_200;

/** Two programs that start, the other one first; `onLook` is called at each pause. */
function world(onLook: (looks: number) => Promise<void>) {
  const store: MemoryLeaseStore = new Map();
  const clock = { now: 0 };
  const [leases, others] = ['here', 'other'].map((holder) =>
    createMemoryLeases(store, holder, () => clock.now),
  );
  if (leases === undefined || others === undefined) throw new Error('there are two');
  let looks = 0;
  const timers: Pick<Timers, 'after'> = {
    after: (_ms, done) => {
      void onLook(++looks).then(() => systemTimers.after(0, done));
      return () => undefined;
    },
  };
  const told: string[] = [];
  return { clock, others, told, waiting: { leases, tell: (said: string) => told.push(said), timers } };
}

test('a start waits for as long as another program opens the same servers, and says so', async () => {
  let isOpened = false;
  const { others, told, waiting } = world(async (looks) => {
    if (looks < LOOKS_OF_TWO_MINUTES) return;
    isOpened = true;
    await other?.release();
  });
  const other = await others.acquire('starting');
  expect(await inTurn(waiting, async () => isOpened)).toBe(true);
  expect(told).toEqual(['Another program opens the same servers: this one waits for it.']);
});

test('what fails after another program took its turn away is opened again, and what fails in its turn is refused', async () => {
  const { clock, others, waiting } = world(async () => {
    await other?.release();
  });
  let other: Awaited<ReturnType<typeof others.acquire>>;
  let tries = 0;
  const opened = await inTurn(waiting, async () => {
    tries += 1;
    if (tries > 1) return 'all of it';
    // It stood still for so long that its lease ran out.
    clock.now += leaseLimits.ttlMs + 1;
    other = await others.acquire('starting');
    throw new LodeError('storage_failed', 'The stores are half made.');
  });
  expect([opened, tries]).toEqual(['all of it', 2]);
  const broken = new LodeError('storage_failed', 'The stores are broken.');
  await expect(inTurn(waiting, () => Promise.reject(broken))).rejects.toBe(broken);
});
