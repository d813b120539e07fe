import { expect, test } from '@jest/globals';
import { networkInterfaces } from 'node:os';
import { describeWhere } from '#kernel/testing';
import { startLode } from '../testing/index.js';

const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

describeWhere(hasIPv6, 'a Lode that listens on ::1', 'no IPv6', () => {
  test('says an address that a browser opens, and answers there', async () => {
    const lode = await startLode({ host: '::1' });
    const { address } = lode.visitor;
    expect(address).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    expect((await lode.admin.api.get('me')).role).toBe('admin');
    await lode.stop();
  });
});
