import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { createExecutor } from '#commands';
import { contextOf } from '#commands/testing';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { LodeError } from '#kernel';
import { until } from '#kernel/testing';
import { messageDecider, messageStream, type MessageCommand } from '#ledger';
import { watchLog } from '#reactors';

const reactors = [
  { name: 'reads', handles: ['MessageRead', 'MessageForgotten'] },
  { name: 'sends', handles: ['MessageSent', 'MessageForgotten'] },
  { name: 'others', handles: ['AccountOpened'] },
];

function watched(store: EventStore = createMemoryEventStore()) {
  const messages = createExecutor({ store, decider: messageDecider, clock: () => 0 });
  const told: (readonly string[])[] = [];
  const stop = watchLog(store, reactors, (names) => told.push(names));
  let keys = 0;
  const send = async (command: MessageCommand) => {
    await messages.execute(messageStream('m'), command, contextOf(`key-${(keys += 1)}`));
  };
  return { store, told, send, stop };
}

const sent = { type: 'SendMessage', messageId: 'm', userId: undefined, sealed: 's' } as const;

test('tells everyone at first, and then those who handle what was written', async () => {
  const { told, send, stop } = watched();
  await send(sent);
  await until(() => told.length === 1);
  expect(told[0]).toEqual(['reads', 'sends', 'others']);
  await send({ type: 'ReadMessage' });
  await until(() => told.length === 2);
  expect(told[1]).toEqual(['reads']);
  await send({ type: 'UnreadMessage' });
  await send({ type: 'ForgetMessage' });
  await until(() => told.length === 3);
  expect(told[2]).toEqual(['reads', 'sends']);
  stop();
});

test('misses nothing that is written while it looks', async () => {
  const store = createMemoryEventStore();
  const gate = Promise.withResolvers<undefined>();
  const slow: EventStore = {
    ...store,
    readTypes: async (...asked) => {
      await gate.promise;
      return store.readTypes(...asked);
    },
  };
  const { told, send, stop } = watched(slow);
  await send(sent);
  await until(() => told.length === 1);
  await send({ type: 'ReadMessage' });
  await send({ type: 'ForgetMessage' });
  gate.resolve(undefined);
  await until(() => told.slice(1).flat().includes('reads') && told.slice(1).flat().includes('sends'));
  stop();
});

test('tells everyone when it can’t read, and goes on from where the log ends then', async () => {
  const store = createMemoryEventStore();
  let isAway = false;
  const { told, send, stop } = watched({
    ...store,
    readTypes: async (...asked) => {
      if (isAway) throw new LodeError('unavailable', 'away');
      return store.readTypes(...asked);
    },
  });
  await send(sent);
  await until(() => told.length === 1);
  isAway = true;
  await send({ type: 'ReadMessage' });
  await until(() => told.length > 1);
  expect(told[1]).toEqual(['reads', 'sends', 'others']);
  isAway = false;
  const before = told.length;
  await send({ type: 'UnreadMessage' });
  await until(() => told.length > before);
  expect(told.at(-1)).toEqual(['reads', 'sends', 'others']);
  stop();
});

test('tells nobody after its end', async () => {
  const { told, send, stop } = watched();
  stop();
  await send(sent);
  await setImmediate();
  expect(told).toEqual([]);
});
