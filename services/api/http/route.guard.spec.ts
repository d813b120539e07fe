import { expect, test } from '@jest/globals';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import { NoteGiven, WaitForPosition, type Session } from '#application';
import { positionOf } from '#kernel';
import { RouteGuard } from './route.guard.js';
import { createLogScope } from './scope.js';

const NOTED = positionOf(7n);
const ADMIN = { userId: 'ada', role: 'admin', sessionId: 's1' } as unknown as Session;

/** What the guard does before a query of events is answered, in order, and the headers that it adds. */
async function letThrough(query: Readonly<Record<string, string>>, isReached: boolean) {
  const done: unknown[] = [];
  let headers: object | undefined;
  // Stands in for the bus, whose answer has the type of what it was asked.
  const bus = {
    execute: (command: unknown) => {
      if (command instanceof NoteGiven) done.push(command.what.type);
      return Promise.resolve(NOTED);
    },
    query: (asked: unknown) => {
      if (asked instanceof WaitForPosition) done.push(asked.position);
      return Promise.resolve(isReached);
    },
  } as unknown as ConstructorParameters<typeof RouteGuard>[0];
  const guard = new RouteGuard(
    bus,
    () => ADMIN,
    createLogScope('the log'),
    { holds: () => false },
    () => false,
    () => false,
    {
      requireLatest: async () => undefined,
      requireDuty: () => undefined,
      requireFreshProof: async () => undefined,
      isAdmin: async () => false,
      dutyOf: () => 'owner',
    },
  );
  const server = fastify();
  await server.register(multipart);
  server.get('/', async (request, reply) => {
    await guard.admit('events', request, reply);
    headers = { ...reply.getHeaders() };
    return '';
  });
  expect(await server.inject({ url: '/', query: { ...query } })).toMatchObject({ statusCode: 200 });
  await server.close();
  return { done, headers };
}

test('a list is given as a file once queries see the note of it', async () => {
  expect(await letThrough({ format: 'ndjson' }, true)).toEqual({
    done: ['ListExported', NOTED],
    headers: {},
  });
  expect(await letThrough({ format: 'ndjson' }, false)).toMatchObject({ headers: { 'lode-stale': 'true' } });
});

test('a page of it is noted by nothing, and waits for nothing', async () => {
  expect(await letThrough({}, true)).toEqual({ done: [], headers: {} });
});
