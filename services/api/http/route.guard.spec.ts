import { expect, test } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { NoteGiven, WaitForPosition, type Session } from '#application';
import { positionOf } from '#kernel';
import { RouteGuard } from './route.guard.js';
import type { LodeRequest } from './route.js';
import { createLogScope } from './scope.js';

const NOTED = positionOf(7n);
const ADMIN = { userId: 'ada', role: 'admin', sessionId: 's1' } as unknown as Session;

/** What the guard does before a query of events is answered, in order, and the headers that it adds. */
async function letThrough(query: Readonly<Record<string, string>>, isReached: boolean) {
  const done: unknown[] = [];
  const headers: Record<string, string> = {};
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
  );
  const request = {
    method: 'GET',
    headers: {},
    params: {},
    query,
    ip: '192.0.2.1',
    isMultipart: () => false,
  } as unknown as LodeRequest;
  const reply = {
    header: (name: string, value: string) => void (headers[name] = value),
  } as unknown as FastifyReply;
  await guard.admit('events', request, reply);
  return { done, headers };
}

test('a list is given as a file once queries see the note of it', async () => {
  expect(await letThrough({ format: 'ndjson' }, true)).toEqual({
    done: ['ListExported', NOTED],
    headers: {},
  });
  expect(await letThrough({ format: 'ndjson' }, false)).toMatchObject({ headers: { 'Lode-Stale': 'true' } });
});

test('a page of it is noted by nothing, and waits for nothing', async () => {
  expect(await letThrough({}, true)).toEqual({ done: [], headers: {} });
});
