import { expect, test } from '@jest/globals';
import { createBucketsOf, type SharedCounts } from '#identity';
import { systemRandom } from '#kernel';
import { until } from '#kernel/testing';

/** As many as may be put back at once. */
const AT_ONCE = 1_000;

test('no more is put back at once than a store can bear, and none of it fails', async () => {
  const waiting: (() => void)[] = [];
  let asked = 0;
  const counts: SharedCounts = {
    take: async () => 0,
    giveBack: async () => {
      asked++;
      await new Promise<void>((resolve) => waiting.push(resolve));
      throw new Error('the store is away');
    },
  };
  const store = { counts, secret: async (_: string, drawn: Uint8Array) => drawn };
  const buckets = createBucketsOf({ store, clock: () => 0, random: systemRandom })('tests', {
    burst: 5,
    everyMs: 1,
  });
  const all = Array.from({ length: AT_ONCE + 1 }, (_, n) => buckets.giveBack(`person ${n}`));
  await all.at(-1);
  await until(() => asked === AT_ONCE);
  for (const end of waiting.splice(0)) end();
  await Promise.all(all);
  const later = buckets.giveBack('somebody');
  await until(() => waiting.length > 0);
  expect(asked).toBe(AT_ONCE + 1);
  for (const end of waiting) end();
  await later;
});
