import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { LodeError } from '#kernel';
import type { Commands } from '../commands/carry-out.js';
import type { Ledger } from '../commands/ledger.js';
import type { ApiSettings } from '../settings.js';
import { BulkController } from './bulk.controller.js';

const unheard: unknown[] = [];
const hear = (reason: unknown) => unheard.push(reason);
beforeEach(() => void process.on('unhandledRejection', hear));
afterEach(() => void process.off('unhandledRejection', hear));

test('portions that fail together refuse the request, and each failure is heard of', async () => {
  let portions = 0;
  const commands = {
    carryOutMany: async () => {
      throw new LodeError('unavailable', `portion ${++portions}`);
    },
  } as unknown as Commands;
  const ledger = { settings: { load: async () => ({ state: { prices: {} } }) } } as unknown as Ledger;
  const controller = new BulkController(commands, ledger, {} as ApiSettings);
  const items = Array.from({ length: 200 }, (_, n) => ({
    key: `${n}`,
    userId: `${n}`,
    amounts: { BTC: '1' },
  }));
  const request = { contextsFor: () => () => ({}) as never, markReplayed: () => undefined };
  const answer = controller.adjust({ items, atomic: false, reason: 'all at once' }, request);
  await expect(answer).rejects.toMatchObject({ code: 'unavailable', message: 'portion 1' });
  await setImmediate();
  expect(portions).toBeGreaterThan(1);
  expect(unheard).toEqual([]);
});
