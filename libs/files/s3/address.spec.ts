import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parseS3Url } from './address.js';

describe('an S3_URL', () => {
  test.each([
    ['https://KEY:SECRET@s3.example.org/lode', 'https://s3.example.org', 'us-east-1', 'SECRET'],
    ['https://KEY:SECRET@s3.example.org/lode/', 'https://s3.example.org', 'us-east-1', 'SECRET'],
    [
      'http://KEY:SECRET@127.0.0.1:8333/lode?region=eu-central-1',
      'http://127.0.0.1:8333',
      'eu-central-1',
      'SECRET',
    ],
    ['https://KEY:a%2Fb%2Bc%25d%3A@[::1]:9000/lode', 'https://[::1]:9000', 'us-east-1', 'a/b+c%d:'],
  ])('says where the bucket is: %s', (url, endpoint, region, secretAccessKey) => {
    expect(parseS3Url(url)).toEqual({
      endpoint,
      bucket: 'lode',
      region,
      accessKeyId: 'KEY',
      secretAccessKey,
    });
  });

  test.each([
    ['KEY:Qx7Vw9', 'is no such address'],
    ['s3://KEY:Qx7Vw9@host/lode', 'is no such address'],
    ['https://KEY:Qx7Vw9@host:port/lode', 'is no such address'],
    ['https://KEY:Qx7/Vw9@host/lode', 'is no such address'],
    ['https://host/lode', 'lacks the access key or the secret'],
    ['https://Qx7Vw9@host/lode', 'lacks the access key or the secret'],
    ['https://:Qx7Vw9@host/lode', 'lacks the access key or the secret'],
    ['https://KEY:Qx7Vw9%@host/lode', 'has a % in its keys that is to be written as %25'],
    ['https://KEY:Qx7Vw9@host', 'does not name one bucket'],
    ['https://KEY:Qx7Vw9@host/lode/files', 'does not name one bucket'],
    ['https://KEY:Qx7Vw9@host/L', 'does not name one bucket'],
    ['https://KEY:Qx7Vw9@host/lode?region=', 'has a region that is none'],
    ['https://KEY:Qx7Vw9@host/lode?style=path', 'has something behind the bucket that is no region'],
    ['https://KEY:Qx7Vw9@host/lode#Qx7Vw9', 'has something behind the bucket that is no region'],
  ])('that can not be read is refused in one sentence, which does not show it: %s', (url, why) => {
    let thrown: unknown;
    try {
      parseS3Url(url);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'internal', message: expect.stringMatching(`^S3_URL ${why}\\. `) });
    expect(inspect(thrown, { depth: Infinity, showHidden: true })).not.toMatch(/Qx7|Vw9/);
  });
});
