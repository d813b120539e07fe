import { beforeEach, expect, test } from '@jest/globals';
import { manualTimers } from '#commands/testing';
import { JOBS } from '#engines';
import { LodeError, thisMachine } from '#kernel';
import { until } from '#kernel/testing';
import { leaseLimits } from '#leases';
import { createMemoryLeases, type MemoryLeaseStore } from '#leases/memory';
import { createPresence, type PresenceOptions } from './presence.js';

/* Programs that share leases, and a store of runs that each can be cut off from; the test moves clock and timers. */

let store: MemoryLeaseStore;
let now: number;
const clock = () => now;
beforeEach(() => {
  store = new Map();
  now = 1_000_000;
});

function program(name: string, runsJobs: PresenceOptions['runsJobs']) {
  const state = { isCutOff: false, looks: 0, reached: 0 };
  const { timers, waiting, fire } = manualTimers();
  const leases = createMemoryLeases(store, name, clock);
  const look = async () => {
    await until(() => waiting().length > 0);
    const { looks } = state;
    fire(Infinity);
    await until(() => state.looks > looks && waiting().length > 0);
  };
  const presence = createPresence({
    runsJobs,
    jobs: {
      reach: async () => {
        state.looks += 1;
        state.reached += 1;
        if (state.isCutOff) throw new LodeError('unavailable', 'Redis is away.');
      },
    },
    leases: {
      ...leases,
      isHeld: async (lease) => {
        if (runsJobs !== 'no') return leases.isHeld(lease);
        state.looks += 1;
        if (state.isCutOff) throw new LodeError('unavailable', 'The leases are away.');
        return leases.isHeld(lease);
      },
    },
    timers,
    machine: { ...thisMachine, clock, monotonic: clock },
  });
  presence.start();
  /** Resolves once it has looked again. */
  return { presence, state, look };
}

const unseen = async ({ presence }: ReturnType<typeof program>) => (await presence.condition()).unseenMs;

test('others see that somebody runs jobs, and how long nobody has since it ended or died, also while nobody asks', async () => {
  const [worker, api] = [program('worker', 'only'), program('api', 'no')];
  await worker.look();
  await api.look();
  expect(await unseen(api)).toBe(0);
  await worker.presence.stop();
  await api.look();
  now += 20_000;
  expect(await unseen(api)).toBe(20_000);
  const next = program('next', 'only');
  await next.look();
  await api.look();
  expect(await unseen(api)).toBe(0);
  // It dies: nothing of it is heard any more.
  now += leaseLimits.ttlMs;
  await api.look();
  now += 3_000;
  expect(await unseen(api)).toBe(3_000);
});

test('one that can not reach the runs says so, and lets another that can be seen in its place', async () => {
  const [api, worker] = [program('api', 'no'), program('worker', 'only')];
  await worker.look();
  await api.look();
  worker.state.isCutOff = true;
  await worker.look();
  expect(await worker.presence.condition()).toMatchObject({
    runsJobs: 'only',
    failure: { code: 'unavailable' },
  });
  now += leaseLimits.ttlMs;
  await worker.look();
  await api.look();
  now += 1_000;
  expect([await unseen(api), await unseen(worker)]).toEqual([1_000, 1_000]);
  const other = program('other', 'only');
  await other.look();
  await Promise.all([api.look(), worker.look()]);
  expect([await unseen(api), await unseen(worker)]).toEqual([0, 0]);
  expect(await worker.presence.condition()).toMatchObject({ failure: { code: 'unavailable' } });
  await other.presence.stop();
  worker.state.isCutOff = false;
  await worker.look();
  expect(await worker.presence.condition()).toEqual({ runsJobs: 'only', failure: undefined, unseenMs: 0 });
  expect(await createMemoryLeases(store, 'anybody', clock).isHeld(JOBS)).toBe(true);
});

test('a program that runs none never looks for runs nor takes the lease', async () => {
  const api = program('api', 'no');
  await api.look();
  await api.presence.stop();
  expect([api.state.reached, store.size]).toEqual([0, 0]);
});

test('while where leases are kept is away nobody can tell, and it is told again afterwards', async () => {
  const api = program('api', 'no');
  api.state.isCutOff = true;
  await api.look();
  await expect(api.presence.condition()).rejects.toMatchObject({ code: 'unavailable' });
  api.state.isCutOff = false;
  await api.look();
  expect(await api.presence.condition()).toMatchObject({ runsJobs: 'no', failure: undefined });
});
