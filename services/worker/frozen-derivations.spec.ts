import { describe, expect, test } from '@jest/globals';
import { createExecutor } from '#commands';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import type { RecordedEvent } from '#kernel';
import { accountDecider, PRICE_SCALE, type BonusPolicy } from '#ledger';
import { recorded, recordedLog } from '../lode/testing/index.js';
import { bonusTick } from './bonus-tick.js';
import { localBonusWorkers } from './bonus-workers.js';

/*
 * What the ids of a run's commands are derived from is storage: a version that derives them otherwise would pay a bonus
 * twice, when a run that was begun before the upgrade is tried again after it. The recorded log holds what they were.
 */

const ONE = 10n ** BigInt(PRICE_SCALE);
const prices = { BTC: 60_000n * ONE, PI: ONE / 2n, USDT: ONE };
const policy: BonusPolicy = { rate: '0.05', windowDays: 4, everyHours: 7, capDays: 2, currency: 'USDT' };
const LATER = Date.parse('2026-01-09T20:00:00.000Z');

const begun = recordedLog.findIndex(({ type }) => type === 'BonusAccrued');
const ended = recordedLog.findLastIndex(({ type }) => type === 'BonusAccrued') + 1;
const paid = recordedLog.slice(begun, ended);

/** Runs the tick for a slot on the recorded log up to an event; gives what it wrote. */
async function tick(upTo: number, slot: string, now: number, capDays = policy.capDays) {
  const store = createMemoryEventStore(recordedLog.slice(0, upTo));
  const clock = () => now;
  const job = bonusTick({
    readStore: {
      keys: async (_, { equals, after }) =>
        equals['bonusDay'] === '0' && after === undefined
          ? paid.map(({ at, stream }) => [at, stream.slice('account-'.length)])
          : [],
    },
    workers: () => localBonusWorkers(createExecutor({ store, decider: accountDecider, clock })),
    settingsInForce: async () => ({ bonusPolicy: { ...policy, capDays }, prices, revision: -1 }),
    clock,
  });
  await job.run({ slot, attempt: 1, signal: new AbortController().signal });
  return (await checkLog(store)).slice(upTo);
}

/** An event without what it says of the settings, and without the chain, which covers that. */
function beforeSettings({ meta: { settings: _, chain: __, ...meta }, ...event }: RecordedEvent) {
  return { ...event, meta };
}

describe('the bonus tick', () => {
  test('writes the very events that it wrote in the recorded log, which did not yet say which settings they went by', async () => {
    expect(paid.length).toBe(3);
    const again = await tick(begun, recorded.tick, Date.parse(paid[0]!.at));
    expect(again.map(({ meta }) => meta.settings)).toEqual([-1, -1, -1]);
    expect(again.map(beforeSettings)).toEqual(paid.map(beforeSettings));
  });

  test('pays nobody again in the same run, though more is due by now, and everybody in another', async () => {
    expect(await tick(ended, recorded.tick, LATER, 4)).toEqual([]);
    expect((await tick(ended, '2026-01-09T16:00:00.000Z', LATER, 4)).length).toBe(3);
  });
});
