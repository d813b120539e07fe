import { describe, expect, test } from '@jest/globals';
import { checkEventStoreDb, openEventStoreDb } from './index.js';

describe('a connection string', () => {
  test.each(['tlsCAFile', 'tls-ca-file', 'userCertFile'])(
    'names a file that is not there: %s',
    async (option) => {
      const opening = openEventStoreDb({ url: `esdb://admin:changeit@127.0.0.1:2113?${option}=none/ca.crt` });
      await expect(opening).rejects.toMatchObject({
        code: 'file_not_found',
        message: expect.stringMatching(/^There is no .*none\/ca\.crt, which .*: correct the path\.$/),
      });
      await expect(opening).rejects.toMatchObject({ message: expect.not.stringContaining('changeit') });
    },
  );

  test('names a file that is no certificate', async () => {
    await expect(
      openEventStoreDb({ url: 'esdb://127.0.0.1:2113?tlsCAFile=package.json' }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/package\.json, which .* is no certificate in PEM/),
    });
  });

  test.each(['kurrentdb', 'kurrent', 'KurrentDB+discover', 'kdb+discover', 'kdb'])(
    'of the other client’s is refused with what to write instead: %s',
    async (scheme) => {
      const opening = openEventStoreDb({ url: `${scheme}://admin:changeit@127.0.0.1:2113?tls=true` });
      await expect(opening).rejects.toMatchObject({
        message: expect.stringMatching(/^Lode takes no kurrentdb:\/\/ address: write esdb:\/\/ in its place/),
      });
      await expect(opening).rejects.toMatchObject({ message: expect.not.stringContaining('changeit') });
    },
  );

  test.each([
    [
      'a file that is not there',
      '?tlsCAFile=none/ca.crt',
      /^There is no .*none\/ca\.crt, .*: correct the path/,
    ],
    ['a file that is no certificate', '?tlsCAFile=package.json', /is no certificate in PEM/],
    ['no EventStoreDB', undefined, /connection string cannot be read/],
  ])('that names %s is found by whoever looks at the server', async (_, options, what) => {
    const url = 'esdb://admin:changeit@127.0.0.1:2113';
    const found = await checkEventStoreDb(
      options === undefined ? url.replace('esdb', 'http') : `${url}${options}`,
    );
    expect(found).toEqual([
      { what: expect.stringMatching(what), todo: expect.stringMatching(/^[A-Z].*\.$/) },
    ]);
    expect(JSON.stringify(found)).not.toContain('changeit');
  });
});
