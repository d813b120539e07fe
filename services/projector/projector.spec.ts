import { expect, test } from '@jest/globals';
import { manualTimers } from '#commands/testing';
import { LodeError, logStart, positionOf, serializeError } from '#kernel';
import { until } from '#kernel/testing';
import { createMemoryLeases, type MemoryLeaseStore } from '#leases/memory';
import type { FromProjector, ProjectorThread } from './messages.js';
import { createProjector } from './projector.js';

const [FIFTH, SIXTH] = [positionOf(5), positionOf(6)];

/** A thread that answers what it is asked, and refuses to lead while `canLead` is false. */
function createThread() {
  const asked: string[] = [];
  const state = { canLead: true };
  let say: (message: FromProjector) => void = () => undefined;
  let end: (error: Error | undefined) => void = () => undefined;
  const answer = (number: number, what: string) => {
    asked.push(what);
    if (what === 'lead' && !state.canLead) {
      const error = new LodeError('storage_failed', 'The disk is broken.');
      say({ kind: 'refusal', questionId: number, ...serializeError(error) });
    } else say({ kind: 'answer', questionId: number, answer: null });
  };
  const thread: ProjectorThread = {
    tell: (message) => {
      if (message.kind === 'stop') end(undefined);
      if (message.kind === 'ask') answer(message.questionId, message.question.what);
    },
    onMessage: (listener) => {
      say = listener;
      say({ kind: 'ready' });
    },
    onEnd: (listener) => void (end = listener),
  };
  return { thread, asked, state };
}

test('a projector that can not lead follows the documents of another program on', async () => {
  const store: MemoryLeaseStore = new Map();
  const other = await createMemoryLeases(store, 'other', () => 0).acquire('projector');
  const { thread, asked, state } = createThread();
  const { timers, waiting, fire } = manualTimers();
  const problems: Readonly<Record<string, unknown>>[] = [];
  let position = logStart;
  const projector = createProjector({
    thread: () => thread,
    models: { checkpoint: async () => ({ position, ordinal: 0 }), close: async () => undefined },
    leases: createMemoryLeases(store, 'here', () => 0),
    timers,
    onProblem: (problem) => problems.push(problem),
    say: () => undefined,
  });
  let forgotten = 0;
  projector.feed.onRebuilt(() => (forgotten += 1));
  await projector.start();
  const fifth = projector.feed.waitFor(FIFTH, 60_000);
  // It looks at the documents, at the lease, and somebody waits.
  await until(() => waiting().length === 3);
  state.canLead = false;
  await other?.release();
  fire(10_000);
  await until(() => problems.length > 0);
  expect(problems).toMatchObject([{ type: 'failing', lease: 'projector', code: 'storage_failed' }]);
  position = FIFTH;
  await until(() => waiting().length === 3);
  fire(100);
  expect(await fifth).toBe(true);

  state.canLead = true;
  await until(() => waiting().length === 2);
  fire(10_000);
  await until(() => asked.length === 2);
  // From now on its own thread says how far the documents are; what the other changed meanwhile nobody told.
  await until(() => waiting().length === 1);
  expect(forgotten).toBe(1);
  const sixth = projector.feed.waitFor(SIXTH, 60_000);
  position = SIXTH;
  fire(10_000);
  await until(() => waiting().length === 2);
  fire(60_000);
  expect(await sixth).toBe(false);
  await projector.stop();
  expect(asked).toEqual(['lead', 'lead', 'standBy']);
});
