import { expect, test } from '@jest/globals';
import { logStart, positionOf } from '#kernel';
import { identityMismatch } from './consistency.js';
import type { IdentityEngine } from './identity.js';

type Found = Awaited<ReturnType<IdentityEngine['look']>>;

/** What is wrong beside a log that ends there, when the identity store is found so by one look after another. */
async function mismatch(position: bigint, ...looks: readonly Found[]) {
  const left = [...looks];
  const identity = { name: 'the identity store', look: async () => left.shift() ?? 'missing' };
  const head = position === 0n ? logStart : positionOf(position);
  const found = await identityMismatch({ log: { name: 'the log' }, identity }, { head: async () => head });
  return found?.what;
}

test('an identity store that is missing beside a log is not one that another program makes just now', async () => {
  expect(await mismatch(0n, 'missing')).toBeUndefined();
  expect(await mismatch(7n, 'nobody')).toBeUndefined();
  expect(await mismatch(7n, 'missing', 'nobody')).toBeUndefined();
  expect(await mismatch(7n, 'missing', 'missing')).toContain('the identity store is missing or empty');
  expect(await mismatch(0n, 'people')).toContain('the log is missing or empty');
});
