import { expect, test } from '@jest/globals';
import { logStart } from '#kernel';
import type { ChoreRun, Chores } from '../ports.js';
import { admin, createWorld } from '../testing/index.js';
import { CancelVerification, CancelVerificationHandler, Verify, VerifyHandler } from './chores.js';

const context = { actor: admin, session: 's1' };

/** Checks of a log that begin at once; each began at another time. */
function world() {
  const state: { run: ChoreRun | null; begun: number; isStopping: boolean; canceled: string[] } = {
    run: null,
    begun: 0,
    isStopping: false,
    canceled: [],
  };
  const chores: Chores = {
    backups: { way: 'unset', folder: null, last: async () => null },
    run: () => state.run,
    begin: () => {
      if (state.isStopping) return false;
      state.begun += 1;
      state.run = { ...ended, state: 'running', begunAt: String(state.begun) };
      return true;
    },
    cancel: async (_name, begunAt) => {
      state.canceled.push(begunAt);
      return state.run?.begunAt === begunAt;
    },
  };
  const parts = { ...createWorld(), chores };
  const orders = async () =>
    (await parts.eventStore.readAll(logStart, 10)).map(({ data }) => data['operation']);
  return { state, parts, orders };
}

const ended: ChoreRun = {
  state: 'done',
  begunAt: '0',
  endedAt: '0',
  step: '',
  looked: 0,
  of: null,
  wrong: [],
  failure: null,
};

test('orders at once are one order, and a later one is another', async () => {
  const { state, parts, orders } = world();
  const handler = new VerifyHandler(parts);
  const send = () => handler.execute(new Verify(context));
  const answers = await Promise.all([send(), send()]);
  expect(answers.map(({ run }) => run?.begunAt)).toEqual(['1', '1']);
  expect(await orders()).toEqual(['verify']);
  state.run = ended;
  await send();
  expect(await orders()).toEqual(['verify', 'verify']);
});

test('an order that the program no longer takes is refused', async () => {
  const { state, parts } = world();
  state.isStopping = true;
  await expect(new VerifyHandler(parts).execute(new Verify(context))).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('what is canceled is what was under way when that was ordered', async () => {
  const { state, parts } = world();
  state.run = { ...ended, state: 'running', begunAt: '0' };
  const canceled = new CancelVerificationHandler(parts).execute(new CancelVerification(context));
  state.run = { ...ended, state: 'running', begunAt: '1' };
  expect(await canceled).toBe(false);
  expect(state.canceled).toEqual(['0']);
});
