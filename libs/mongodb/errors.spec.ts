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
