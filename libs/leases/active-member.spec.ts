import { expect, test } from '@jest/globals';
import { manualTimers } from '#commands/testing';
import { LodeError } from '#kernel';
import { until } from '#kernel/testing';
import { createActiveMember, leaseLimits, type ActiveRunnerProblem } from '#leases';
import { createMemoryLeases, type MemoryLeaseStore } from '#leases/memory';

const SEATS = ['work', 'work-1', 'work-2'];

/** Programs that share some work, on a clock and on timers that the test moves. */
function world() {
  const store: MemoryLeaseStore = new Map();
  let now = 0;
  const at: string[] = [];
  const open = (name: string) => {
    const { timers, waiting, fire } = manualTimers();
    const problems: ActiveRunnerProblem[] = [];
    const state = { fails: false };
    const member = createActiveMember({
      leases: createMemoryLeases(store, name, () => now),
      seats: SEATS,
      begin: async ({ part, of }) => {
        if (state.fails) throw new LodeError('storage_failed', 'The disk is broken.');
        at.push(`${name} begins ${part} of ${of}`);
        return async () => void at.push(`${name} ends ${part} of ${of}`);
      },
      onProblem: (problem) => problems.push(problem),
      timers,
    });
    /** Lets it look at the leases once more. */
    const look = async () => {
      await until(() => waiting().length > 0);
      fire(Infinity);
      await until(() => waiting().length > 0);
    };
    return { member, look, problems, state };
  };
  return { open, at, pass: (ms: number) => void (now += ms) };
}

test('one has all of it until another comes, and again once that has gone', async () => {
  const { open, at } = world();
  const [ann, bob] = [open('ann'), open('bob')];
  await ann.member.start();
  await ann.look();
  expect([at, ann.member.part()]).toEqual([
    ['ann begins 0 of 1'],
    expect.objectContaining({ part: 0, of: 1 }),
  ]);
  await bob.member.start();
  await ann.look();
  await bob.look();
  expect(at.splice(0)).toEqual([
    'ann begins 0 of 1',
    'bob begins 1 of 2',
    'ann ends 0 of 1',
    'ann begins 0 of 2',
  ]);
  await ann.member.stop();
  await bob.look();
  expect(at).toEqual(['ann ends 0 of 2', 'bob ends 1 of 2', 'bob begins 0 of 1']);
  await bob.member.stop();
  expect([...ann.problems, ...bob.problems]).toEqual([]);
});

test('the part of one that gave no sign for too long is taken over, and it has one again when it comes back', async () => {
  const { open, at, pass } = world();
  const [ann, bob] = [open('ann'), open('bob')];
  await ann.member.start();
  await bob.member.start();
  await ann.look();
  at.splice(0);
  for (let looks = 0; looks < 3; looks += 1) {
    pass(leaseLimits.ttlMs / 3);
    await bob.look();
  }
  expect(at.splice(0)).toEqual(['bob ends 1 of 2', 'bob begins 0 of 1']);
  await ann.look();
  await bob.look();
  // Nobody has taken its lease: its part is what it was.
  expect(at).toEqual(['bob ends 0 of 1', 'bob begins 1 of 2']);
  expect(ann.member.part()).toMatchObject({ part: 0, of: 2 });
  await ann.member.stop();
  await bob.member.stop();
});

test('one whose writes are refused begins its part anew at the next look', async () => {
  const { open, at } = world();
  const ann = open('ann');
  await ann.member.start();
  ann.member.beginAnew();
  await ann.look();
  await ann.look();
  expect(at).toEqual(['ann begins 0 of 1', 'ann ends 0 of 1', 'ann begins 0 of 1']);
  await ann.member.stop();
});

test('one that can not begin says so, and the others share the work without it', async () => {
  const { open, at } = world();
  const [ann, bob] = [open('ann'), open('bob')];
  ann.state.fails = true;
  await expect(ann.member.start()).rejects.toMatchObject({ code: 'storage_failed' });
  await bob.member.start();
  expect(at).toEqual(['bob begins 0 of 1']);
  ann.state.fails = false;
  await ann.member.start();
  bob.state.fails = true;
  await bob.look();
  expect(bob.problems).toMatchObject([{ type: 'failing', code: 'storage_failed', attempts: 1 }]);
  expect(bob.member.isActive()).toBe(false);
  await ann.look();
  expect(ann.member.part()).toMatchObject({ part: 0, of: 1 });
  await ann.member.stop();
  await bob.member.stop();
});

test('as many as there are leases share it, and one more stands by', async () => {
  const { open } = world();
  const all = ['ann', 'bob', 'cyd', 'dan'].map(open);
  for (const { member } of all) await member.start();
  for (const { look } of all) await look();
  expect(all.map(({ member }) => member.part()?.part)).toEqual([0, 1, 2, undefined]);
  await all[0]?.member.stop();
  await all[3]?.look();
  expect(all[3]?.member.isActive()).toBe(true);
  for (const { member } of all.slice(1)) await member.stop();
});
