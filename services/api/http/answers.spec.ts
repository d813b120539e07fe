import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { routes, type Route, type RouteName } from '#contracts';
import { finishAnswers } from './answers.js';

/* What is compressed, of answers that are all large enough. */

const LARGE = { token: 'x'.repeat(4_096) };
const all = (Object.entries(routes) as [RouteName, Route][]).map(([route, { secret }]) => ({
  route,
  secret,
}));

let server: FastifyInstance;
beforeAll(() => {
  server = fastify();
  finishAnswers(server);
  const handler = async () => LARGE;
  for (const { route } of all) server.route({ method: 'POST', url: `/${route}`, handler, config: { route } });
  server.route({ method: 'POST', url: '/of-others', handler, config: { secret: true } });
  server.route({
    method: 'GET',
    url: '/stream',
    handler: (_, reply) => reply.type('text/event-stream; charset=utf-8').send('x'.repeat(4_096)),
  });
});
afterAll(() => server.close());

async function codingOf(method: 'GET' | 'POST', url: string): Promise<unknown> {
  const { headers } = await server.inject({ method, url, headers: { 'accept-encoding': 'br, gzip' } });
  return headers['content-encoding'];
}

test.each(all)(
  'a large answer of $route is compressed, but where it has tokens',
  async ({ route, secret }) => {
    expect(await codingOf('POST', `/${route}`)).toBe(secret === true ? undefined : 'br');
  },
);

test('neither are tokens in the answers of other routes, nor streams of events', async () => {
  expect(await codingOf('POST', '/of-others')).toBeUndefined();
  expect(await codingOf('GET', '/stream')).toBeUndefined();
});
