import { expect, test } from '@jest/globals';
import { manualTimers } from '#commands/testing';
import { LodeError, logStart, positionOf, serializeError, systemTimers, type Position } from '#kernel';
import { until } from '#kernel/testing';
import { createMemoryLeases, type MemoryLeaseStore } from '#leases/memory';
import { createMemoryOrders, type MemoryOrderStore } from '#orders/memory';
import { walletModels } from '#projections';
import type { BuildState } from '#read-store';
import type { FromProjector, ProjectorThread } from './messages.js';
import { createProjector } from './projector.js';

const [FIFTH, SIXTH] = [positionOf(5), positionOf(6)];

/**
 * A thread that answers what it is asked, and refuses to lead while `canLead` is false. What it `holds` it refuses once it is
 * to stand by.
 */
function createThread({ holds }: { readonly holds?: string } = {}) {
  const asked: string[] = [];
  const state = { canLead: true };
  let say: (message: FromProjector) => void = () => undefined;
  let end: (error: Error | undefined) => void = () => undefined;
  const held: number[] = [];
  const answer = (number: number, what: string) => {
    asked.push(what);
    if (what === holds) {
      held.push(number);
      return;
    }
    if (what === 'standBy')
      for (const questionId of held) {
        const error = new LodeError('unavailable', 'The read models were stopped.');
        say({ kind: 'refusal', questionId, ...serializeError(error) });
      }
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
  return { thread, asked, state, say: (message: FromProjector) => say(message) };
}

/** Every read model, built up to a place. */
function builtTo(position: Position): readonly BuildState[] {
  return walletModels.map(({ name, version, indexes }, n) => ({
    build: { collection: name, version, number: n },
    indexes,
    state: 'active',
    isIndexed: true,
    checkpoint: { position, ordinal: 0 },
  }));
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
    models: { builds: async () => builtTo(position), close: async () => undefined },
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

test('a projector whose writes are refused though it has the lease opens the read models again', async () => {
  const { thread, asked, say } = createThread();
  const { timers, waiting, fire } = manualTimers();
  const projector = createProjector({
    thread: () => thread,
    models: { builds: async () => [], close: async () => undefined },
    leases: createMemoryLeases(new Map(), 'here', () => 0),
    timers,
    onProblem: () => undefined,
    say: () => undefined,
  });
  await projector.start();
  const failing = { type: 'failing', code: 'conflict', message: 'Another one writes.', attempts: 1 } as const;
  say({ kind: 'report', report: failing });
  await until(() => waiting().length > 0);
  fire(10_000);
  await until(() => asked.length === 3);
  expect(asked).toEqual(['lead', 'standBy', 'lead']);
  expect([projector.isLeading(), projector.lanes()]).toEqual([true, 1]);
  await projector.stop();
});

test('a projector that stops does not wait for the order under way, which the next one does', async () => {
  const store: MemoryOrderStore = new Map();
  const orders = createMemoryOrders(store);
  const { thread, asked } = createThread({ holds: 'replay' });
  const projector = createProjector({
    thread: () => thread,
    models: { builds: async () => [], close: async () => undefined },
    leases: createMemoryLeases(new Map(), 'here', () => 0),
    orders,
    timers: systemTimers,
    onProblem: () => undefined,
    say: () => undefined,
  });
  await projector.start();
  const order = { id: 'one', to: 'projector', what: { ask: 'replay', model: 'accounts', stream: null } };
  await orders.place(order);
  await until(() => asked.includes('replay'));
  await projector.stop();
  expect(asked).toEqual(['lead', 'replay', 'standBy']);
  expect(await orders.waiting(['projector'])).toEqual([order]);
});
