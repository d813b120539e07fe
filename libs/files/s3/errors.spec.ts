import { describe, expect, test } from '@jest/globals';
import { isMissing, isOfTime, isTransient, outcomeOf, Refusal, s3Error } from './errors.js';

/** A failure as the SDK gives it. */
const answered = (httpStatusCode: number, name: string) =>
  Object.assign(new Error('S3CRET in what the store says'), {
    name,
    $metadata: { httpStatusCode },
    AWSAccessKeyId: 'KEY',
  });
const network = (code: string) => Object.assign(new Error(code), { code });

describe('an answer of the store', () => {
  test.each([
    [403, 'SignatureDoesNotMatch', false, 'storage_failed', 'refuses the keys of S3_URL'],
    [403, 'AccessDenied', false, 'storage_failed', 'refuses the keys of S3_URL'],
    [401, 'Unauthorized', false, 'storage_failed', 'refuses the keys of S3_URL'],
    [404, 'NoSuchBucket', false, 'storage_failed', 'There is no bucket lode as S3_URL names it'],
    [404, 'NotFound', false, 'storage_failed', 'There is no bucket lode as S3_URL names it'],
    [301, 'PermanentRedirect', false, 'storage_failed', 'in another region than S3_URL says'],
    [400, 'AuthorizationHeaderMalformed', false, 'storage_failed', 'in another region than S3_URL says'],
    [507, 'InsufficientStorage', false, 'storage_full', 'The store of files is full'],
    [403, 'QuotaExceeded', false, 'storage_full', 'The store of files is full'],
    [501, 'NotImplemented', false, 'storage_failed', 'refused what was asked of it: 501 NotImplemented'],
    [400, 'BadDigest', false, 'storage_failed', 'refused what was asked of it: 400 BadDigest'],
    [
      412,
      'PreconditionFailed',
      false,
      'storage_failed',
      'refused what was asked of it: 412 PreconditionFailed',
    ],
    [400, 'S3CRET in <its> name', false, 'storage_failed', 'refused what was asked of it: 400 Unknown'],
    [500, 'InternalError', true, 'storage_failed', '500 InternalError'],
    [503, 'SlowDown', true, 'storage_failed', '503 SlowDown'],
    [429, 'TooManyRequests', true, 'storage_failed', '429 TooManyRequests'],
  ])('%d %s: worth another try: %s, else %s', (status, name, again, code, words) => {
    const refusal = outcomeOf(answered(status, name));
    expect(refusal).toBeInstanceOf(Refusal);
    expect(isTransient(refusal)).toBe(again);
    const told = s3Error(refusal, 'lode');
    expect(told).toMatchObject({ name: 'LodeError', code, message: expect.stringContaining(words) });
    expect(`${String(told)} ${JSON.stringify(refusal)} ${String(refusal)}`).not.toMatch(/S3CRET|KEY/);
  });

  test('may refuse the time of a request when it forbids it, and else does not', () => {
    const inAnotherTime = (status: number, name: string) =>
      outcomeOf({ name, $metadata: { httpStatusCode: status, clockSkewCorrected: true } });
    for (const name of ['RequestTimeTooSkewed', 'Unknown'])
      expect(isOfTime(inAnotherTime(403, name))).toBe(true);
    for (const [status, name] of [
      [403, 'QuotaExceeded'],
      [404, 'NoSuchKey'],
      [412, 'PreconditionFailed'],
    ] as const)
      expect(isOfTime(inAnotherTime(status, name))).toBe(false);
    expect(isOfTime(outcomeOf(answered(403, 'AccessDenied')))).toBe(false);
  });

  test('says that something is missing, or the bucket', () => {
    expect(isMissing(outcomeOf(answered(404, 'NoSuchKey')))).toBe(true);
    expect(isMissing(outcomeOf(answered(404, 'NotFound')))).toBe(true);
    expect(isMissing(outcomeOf(answered(404, 'NoSuchBucket')))).toBe(false);
    expect(isMissing(network('ENOENT'))).toBe(false);
  });
});

test.each([
  network('ECONNREFUSED'),
  network('ECONNRESET'),
  network('ENOTFOUND'),
  Object.assign(new Error('took too long'), { name: 'TimeoutError' }),
  Object.assign(new Error('ended'), { name: 'AbortError' }),
  answered(200, 'SyntaxError'),
  new Error('AWS SDK error wrapper for TimeoutError: socket hang up'),
])('no answer is worth another try, and unavailable in the end: %s', (error) => {
  expect(isTransient(outcomeOf(error))).toBe(true);
  expect(s3Error(outcomeOf(error), 'lode')).toMatchObject({ code: 'unavailable' });
});

test.each([new TypeError('a bug'), 'text', undefined])('a bug stays one: %s', (error) => {
  expect([outcomeOf(error), isTransient(error), s3Error(error, 'lode')]).toEqual([error, false, error]);
});
