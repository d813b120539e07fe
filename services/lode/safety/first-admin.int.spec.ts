import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient, dataFolder, join, newPerson } from '../testing/index.js';
import { run } from '../run.js';
import { readSettings } from '../settings.js';

describe('the link that makes the first admin', () => {
  let folder: ReturnType<typeof dataFolder>;
  beforeEach(() => {
    folder = dataFolder();
  });
  afterEach(() => folder.remove());

  const start = () => run({ ...readSettings({ PORT: '0' }), dataFolder: folder.path }, () => undefined);
  const tokenIn = (path: string | undefined) => path?.split('invitation=')[1] ?? 'none';

  test('is void once a later start has printed another', async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    const visitor = createClient(second.address);
    const body = { ...newPerson('Eve'), invitation: tokenIn(first.firstAdminPath) };
    const refused = await visitor.call('register', { body });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('invitation_invalid')]);
    await join(visitor, 'Mary', tokenIn(second.firstAdminPath));
    await second.stop();
  });

  test('makes one admin, and is not printed any more', async () => {
    const first = await start();
    const visitor = createClient(first.address);
    const invitation = tokenIn(first.firstAdminPath);
    await join(visitor, 'Mary', invitation);
    expect((await visitor.call('register', { body: { ...newPerson('Eve'), invitation } })).status).toBe(403);
    await first.stop();
    const second = await start();
    expect(second.firstAdminPath).toBeUndefined();
    await second.stop();
  });
});
