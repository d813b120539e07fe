import { expect, test } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import { codes, serverCode, writeFailure } from './errors.js';

test('that two documents have one key is told without the key, which may be an e-mail', () => {
  const message =
    'E11000 duplicate key error collection: lode.people index: email dup key: { email: "ann@lode.example" }';
  const refused = new MongoServerError({
    message,
    code: codes.duplicateKey,
    keyValue: { email: 'ann@lode.example' },
  });
  const failure = writeFailure(refused, { insert: 'people' });
  expect(failure).toMatchObject({
    code: 'storage_failed',
    cause: { message: 'E11000 duplicate key error collection: lode.people index: email' },
  });
  const { cause } = failure as Error;
  expect(serverCode(cause)).toBe(codes.duplicateKey);
  expect(`${JSON.stringify(cause)} ${(cause as Error).stack}`).not.toContain('ann@');
});

// Codes that stop a command while it is carried out, or tell of a time limit or of a host that is lost.
test.each([6, 7, 50, 89, 91, 112, 134, 175, 202, 237, 262, 9_001, 11_600, 11_602])(
  'whether a write was done that ended with %i is not known',
  (code) => {
    const failure = writeFailure(new MongoServerError({ message: 'stopped', code }), { insert: 'people' });
    expect(failure).toMatchObject({ code: 'unknown_outcome' });
  },
);

test.each([189, 10_107, 13_435, 13_436])('a write that a server refused with %i was not done', (code) => {
  const failure = writeFailure(new MongoServerError({ message: 'not primary', code }), { insert: 'people' });
  expect(failure).toMatchObject({ code: 'unavailable' });
});
