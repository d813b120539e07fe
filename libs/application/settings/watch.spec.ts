import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryEventStore } from '#event-store/memory';
import { LodeError, type Timers } from '#kernel';
import { accountStream, parseDecimal, parseMoney, PRICE_SCALE, settingsStream } from '#ledger';
import { createAggregates } from '../aggregates.js';
import { AdjustWallet, AdjustWalletHandler } from '../requests/adjust-wallet.js';
import { admin, contextOf, NOW } from '../testing/index.js';
import { ChangeSettings, ChangeSettingsHandler } from './change.js';
import { SETTINGS_AGE_MAX_MS, SETTINGS_POLL_MS, watchSettings } from './watch.js';

const price = (text: string) => parseDecimal(text, PRICE_SCALE);

/** Time that passes when the test says so. */
function createTime() {
  let now = 0;
  const waits = new Set<{ readonly at: number; readonly done: () => void }>();
  const timers: Timers = {
    after: (ms, done) => {
      const wait = { at: now + ms, done };
      waits.add(wait);
      return () => waits.delete(wait);
    },
    yieldNow: () => Promise.resolve(),
  };
  return {
    timers,
    monotonic: () => now,
    waiting: () => waits.size,
    pass: async (ms: number) => {
      for (const end = now + ms; now < end; now += 1) {
        for (const wait of waits) {
          if (wait.at > now + 1) continue;
          waits.delete(wait);
          wait.done();
        }
        await turn();
      }
    },
  };
}

/** Lets everything that has been answered go on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the settings in force', () => {
  let time: ReturnType<typeof createTime>;
  let store: ReturnType<typeof createMemoryEventStore>;
  let ring: boolean;
  let reads: number;
  let reach: (read: () => Promise<never[]>) => Promise<never[]>;
  let stop: () => void;
  beforeEach(() => {
    time = createTime();
    store = createMemoryEventStore();
    ring = true;
    reads = 0;
    reach = (read) => read();
  });
  afterEach(() => stop());

  /** A process of its own on the store. */
  const start = () => {
    const inner = store;
    const eventStore = {
      ...inner,
      readStream: (stream: string, read: Parameters<typeof inner.readStream>[1]) => {
        if (stream === settingsStream) reads += 1;
        return reach(() => inner.readStream(stream, read) as Promise<never[]>);
      },
      onAppended: (bell: () => void) => inner.onAppended(() => (ring ? bell() : undefined)),
    };
    const aggregates = createAggregates({ eventStore, clock: () => NOW });
    const { monotonic, timers } = time;
    const settings = watchSettings({ aggregates, eventStore, monotonic, timers });
    stop = settings.stop;
    return { aggregates, settings };
  };
  const btc = async (settings: ReturnType<typeof start>['settings']) => (await settings.current()).prices.BTC;
  /** Another process changes the price. */
  const changeElsewhere = (text: string) =>
    createAggregates({ eventStore: store, clock: () => NOW }).settings.execute(
      settingsStream,
      { type: 'SetPrices', prices: { BTC: price(text) } },
      contextOf(admin, text),
    );

  test('of a change that was answered here are in force before its answer', async () => {
    const { aggregates, settings } = start();
    expect(await btc(settings)).toBe(price('1'));
    const handler = new ChangeSettingsHandler(aggregates, settings);
    const change = { type: 'SetPrices', prices: { BTC: price('50000') } } as const;
    await handler.execute(new ChangeSettings(contextOf(admin, 'one'), change));
    expect(await btc(settings)).toBe(price('50000'));
  });

  test('are read by nobody on the way while they are good', async () => {
    const { settings } = start();
    await settings.current();
    const before = reads;
    for (let n = 0; n < 100; n += 1) await settings.current();
    expect(reads).toBe(before);
  });

  test('of a change elsewhere are in force within the poll, with the notification cut', async () => {
    const { settings } = start();
    await settings.current();
    ring = false;
    await changeElsewhere('50000');
    await time.pass(SETTINGS_POLL_MS + 51);
    const before = reads;
    expect(await btc(settings)).toBe(price('50000'));
    expect(reads).toBe(before);
  });

  test('of a change elsewhere are in force sooner when the log rings', async () => {
    const { settings } = start();
    await settings.current();
    await time.pass(52);
    await changeElsewhere('50000');
    await time.pass(2);
    expect(await btc(settings)).toBe(price('50000'));
  });

  test('as they were last read outlast the log, and have what was answered here', async () => {
    const { aggregates, settings } = start();
    const lastBtc = async () => (await settings.lastKnown()).prices.BTC;
    expect(await lastBtc()).toBe(price('1'));
    const handler = new ChangeSettingsHandler(aggregates, settings);
    const change = { type: 'SetPrices', prices: { BTC: price('50000') } } as const;
    await handler.execute(new ChangeSettings(contextOf(admin, 'one'), change));
    expect(await lastBtc()).toBe(price('50000'));
    reach = () => Promise.reject(new LodeError('unavailable', 'The log is away.'));
    await time.pass(2 * SETTINGS_AGE_MAX_MS);
    await expect(settings.current()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await lastBtc()).toBe(price('50000'));

    reach = (read) => read();
    ring = false;
    await changeElsewhere('60000');
    await time.pass(SETTINGS_POLL_MS + 51);
    expect(await lastBtc()).toBe(price('60000'));
  });

  test('are not guessed at where they were never read', async () => {
    reach = () => Promise.reject(new LodeError('unavailable', 'The log is away.'));
    const { settings } = start();
    await expect(Promise.resolve(settings.lastKnown())).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each([
    ['fails', () => Promise.reject(new LodeError('unavailable', 'The log is away.'))],
    ['does not answer', () => new Promise<never[]>(() => {})],
  ])('are not used when they are older than a second and the log %s: money is refused', async (_, away) => {
    const { aggregates, settings } = start();
    await aggregates.accounts.execute(
      accountStream('eve'),
      { type: 'OpenAccount', userId: 'eve', accountNumber: '3012345678', role: 'user', profile: 'sealed' },
      contextOf(admin, 'open'),
    );
    await settings.current();
    const handler = new AdjustWalletHandler({
      aggregates,
      settings,
      admins: { deciders: async () => new Set(['a1']) },
      clock: () => NOW,
    });
    const adjust = (key: string) => {
      const entries = [{ currency: 'BTC', amount: parseMoney('1', 'USD') }] as const;
      return handler.execute(new AdjustWallet(contextOf(admin, key), { userId: 'eve', entries }));
    };
    reach = away;
    await time.pass(SETTINGS_AGE_MAX_MS - SETTINGS_POLL_MS);
    await expect(adjust('good')).resolves.toMatchObject({ replayed: false });
    await time.pass(SETTINGS_AGE_MAX_MS);
    const refused = expect(adjust('old')).rejects.toMatchObject({ code: 'unavailable' });
    await time.pass(SETTINGS_AGE_MAX_MS + 1);
    await refused;
    reach = (read) => read();
  });
});
