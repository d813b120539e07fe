import { expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { refuseConnection } from './problem.filter.js';

test.each([
  ['HPE_HEADER_OVERFLOW', 413, 'The head of the request is too large.'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 400, 'The request did not arrive in time. Please send it again.'],
  ['HPE_INVALID_METHOD', 400, 'The request is not valid HTTP.'],
])('a connection with %s is refused with %d: %s', async (code, status, detail) => {
  // What is written can be read here; a real socket is gone after it.
  const socket = Object.assign(new PassThrough(), { destroySoon: () => undefined });
  refuseConnection(Object.assign(new Error(code), { code }), socket as unknown as Socket);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(head.split('\r\n')).toContain('X-Content-Type-Options: nosniff');
  expect(JSON.parse(body)).toMatchObject({ status, detail });
});
