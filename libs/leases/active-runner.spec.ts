import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { manualTimers } from '#commands/testing';
import { LodeError } from '#kernel';
import { until } from '#kernel/testing';
import { createActiveRunner, leaseLimits, type ActiveRunnerProblem, type Leases } from '#leases';
import { createMemoryLeases, type MemoryLeaseStore } from '#leases/memory';

/** Programs that share leases, on a clock and on timers that the test moves. */
function world() {
  const store: MemoryLeaseStore = new Map();
  let now = 0;
  const at: string[] = [];
  const open = (name: string, leases: (own: Leases) => Leases = (own) => own) => {
    const { timers, waiting, fire } = manualTimers();
    const own = createMemoryLeases(store, name, () => now);
    const problems: ActiveRunnerProblem[] = [];
    const state = { fails: false };
    const runner = createActiveRunner({
      leases: leases(own),
      name: 'runner',
      begin: async (lease) => {
        if (state.fails) throw new LodeError('storage_failed', 'The disk is broken.');
        at.push(`${name} begins ${lease.epoch}`);
        return async () => void at.push(`${name} ends ${lease.epoch}`);
      },
      onProblem: (problem) => problems.push(problem),
      timers,
    });
    /** Lets it look at the lease once more. */
    const look = async () => {
      await until(() => waiting().length > 0);
      fire(Infinity);
      await until(() => waiting().length > 0);
    };
    return { runner, look, problems, state };
  };
  return { open, at, pass: (ms: number) => void (now += ms) };
}

test('one begins and the other stands by, until the first stops', async () => {
  const { open, at } = world();
  const [ann, bob] = [open('ann'), open('bob')];
  await ann.runner.start();
  await bob.runner.start();
  await bob.look();
  expect([ann.runner.isActive(), bob.runner.isActive()]).toEqual([true, false]);
  await ann.runner.stop();
  expect(at).toEqual(['ann begins 1', 'ann ends 1']);
  await bob.look();
  expect(at.slice(2)).toEqual(['bob begins 2']);
  expect(bob.runner.isActive()).toBe(true);
  await bob.runner.stop();
  expect([...ann.problems, ...bob.problems]).toEqual([]);
});

test('one that gave no sign for too long is replaced, ends when it hears of that, and takes over again', async () => {
  const { open, at, pass } = world();
  const [ann, bob] = [open('ann'), open('bob')];
  await ann.runner.start();
  await bob.runner.start();
  for (let beats = 0; beats < 5; beats += 1) {
    pass(leaseLimits.ttlMs / 3);
    await ann.look();
    await bob.look();
  }
  expect(at).toEqual(['ann begins 1']);
  pass(leaseLimits.ttlMs);
  await bob.look();
  expect(at).toEqual(['ann begins 1', 'bob begins 2']);
  await ann.look();
  expect(at.slice(2)).toEqual(['ann ends 1']);
  expect(ann.problems).toEqual([{ type: 'deposed', lease: 'runner' }]);
  await bob.runner.stop();
  await ann.look();
  expect(at.slice(3)).toEqual(['bob ends 2', 'ann begins 3']);
  await ann.runner.stop();
});

test('one whose writes are refused though it has the lease begins anew at the next look, and one without it does not', async () => {
  const { open, at, pass } = world();
  const [ann, bob] = [open('ann'), open('bob')];
  await ann.runner.start();
  await bob.runner.start();
  ann.runner.beginAnew();
  await ann.look();
  expect(at).toEqual(['ann begins 1', 'ann ends 1', 'ann begins 2']);
  await ann.look();
  expect(at).toHaveLength(3);
  pass(leaseLimits.ttlMs);
  await bob.look();
  ann.runner.beginAnew();
  await ann.look();
  await ann.look();
  expect(at.slice(3)).toEqual(['bob begins 3', 'ann ends 2']);
  await bob.runner.stop();
  await ann.runner.stop();
});

test('one that can not begin says so, and lets the other have the lease', async () => {
  const { open, at } = world();
  const [ann, bob] = [open('ann'), open('bob')];
  ann.state.fails = true;
  await expect(ann.runner.start()).rejects.toMatchObject({ code: 'storage_failed' });
  await bob.runner.start();
  expect(at).toEqual(['bob begins 2']);
  ann.state.fails = false;
  await ann.runner.start();
  ann.state.fails = true;
  await bob.runner.stop();
  await ann.look();
  expect(ann.problems).toMatchObject([{ type: 'failing', code: 'storage_failed', attempts: 1 }]);
  ann.state.fails = false;
  await ann.look();
  expect(ann.runner.isActive()).toBe(true);
  await ann.runner.stop();
});

test('work goes on while the leases can not be reached', async () => {
  const { open, at } = world();
  const down = { is: false };
  const refuse = () => Promise.reject(new LodeError('unavailable', 'no leases'));
  const ann = open('ann', (own) => ({
    ...own,
    acquire: async (name) => {
      const lease = await own.acquire(name);
      return lease === undefined
        ? undefined
        : { ...lease, renew: () => (down.is ? refuse() : lease.renew()), release: refuse };
    },
  }));
  await ann.runner.start();
  down.is = true;
  await ann.look();
  expect(ann.problems).toMatchObject([{ type: 'failing', code: 'unavailable' }]);
  expect(ann.runner.isActive()).toBe(true);
  down.is = false;
  await ann.look();
  await setImmediate();
  expect(at).toEqual(['ann begins 1']);
  await ann.runner.stop();
  expect(at).toEqual(['ann begins 1', 'ann ends 1']);
});

test('keeps the lease of work that takes long to begin', async () => {
  const store: MemoryLeaseStore = new Map();
  let now = 0;
  const { timers, waiting, fire } = manualTimers();
  const opened = Promise.withResolvers<undefined>();
  const runner = createActiveRunner({
    leases: createMemoryLeases(store, 'ann', () => now),
    name: 'runner',
    begin: async () => {
      await opened.promise;
      return async () => undefined;
    },
    onProblem: () => undefined,
    timers,
  });
  const started = runner.start();
  const others = createMemoryLeases(store, 'bob', () => now);
  for (let looks = 0; looks < 5; looks += 1) {
    await until(() => waiting().length > 0);
    now += leaseLimits.ttlMs - 1;
    fire(Infinity);
    await setImmediate();
    now += 1;
    expect(await others.acquire('runner')).toBeUndefined();
  }
  opened.resolve(undefined);
  await started;
  expect(runner.isActive()).toBe(true);
  await runner.stop();
});
