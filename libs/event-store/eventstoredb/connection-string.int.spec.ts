import { describe, expect, test } from '@jest/globals';
import { openEventStoreDb } from './index.js';

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
});
