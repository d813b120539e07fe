import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentity, type IdentityStore, type PersonKeysReader } from '#identity';
import { openMongoIdentityStore, openMongoPersonKeys } from '#identity/mongodb';
import { openIdentityStore, openPersonKeys } from '#identity/sqlite';
import { startDouble } from '#mongodb/double';
import { accounts, openingWith, readParked, type AccountDocument } from '#projections';
import { documentsOf, memoryLog, recorded, settled, started } from '#projections/testing';
import { openSqliteReadStore } from '#read-store/sqlite';
import { compareReadModels } from '#verify';

/** An identity store to write, and what a projection reads of it. */
type Engine = {
  readonly store: IdentityStore;
  readonly keys: PersonKeysReader;
  /** Lets the next read of keys fail; undefined where reading is a look into a file. */
  readonly breakDown: (() => void) | undefined;
  /** How often keys were read, where that can be told. */
  readonly reads: () => number | undefined;
  readonly end: () => Promise<void>;
};

const engines: Readonly<Record<string, () => Promise<Engine>>> = {
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lode-lost-keys-'));
    const file = join(folder, 'identity.sqlite');
    const store = await openIdentityStore({ file });
    return {
      store,
      keys: openPersonKeys({ file }),
      breakDown: undefined,
      reads: () => undefined,
      end: async () => rmSync(folder, { recursive: true }),
    };
  },
  'MongoDB (double)': async () => {
    const server = await startDouble({ replicaSet: 'rs0' });
    const options = { url: server.url, database: 'lode' };
    const store = await openMongoIdentityStore(options);
    const keys = await openMongoPersonKeys(options);
    server.resetCounts();
    return {
      store,
      keys,
      // The driver asks twice.
      breakDown: () => server.failNext('find', 'cut-before', 'cut-before'),
      reads: () => server.commands().get('find') ?? 0,
      end: () => server.stop(),
    };
  },
};

const KEY_BYTES = 32;
const ANN = new Uint8Array(KEY_BYTES).fill(1);

describe.each(Object.entries(engines))('a projection on an identity store that lost a key: %s', (_, open) => {
  let engine: Engine;
  beforeEach(async () => void (engine = await open()));
  afterEach(async () => {
    await engine.keys.close();
    await engine.store.close();
    await engine.end();
  });

  const profileOf = (firstname: string) => ({ firstname, lastname: 'L', email: 'e', phone: 'p' });
  const opened = (position: number, userId: string, profile: string) =>
    recorded(position, `account-${userId}`, 'AccountOpened', {
      accountNumber: `30${userId}`,
      profile,
      role: 'user',
      userId,
    });
  /** Ann's key is not in the store, Bob's is, and Carl's was destroyed. */
  const logOfThree = async () => {
    const whole = new Map([['ann', { kind: 'key', key: ANN } as const]]);
    const before = await createIdentity({
      store: { ...engine.store, personKey: async (id) => whole.get(id) ?? engine.store.personKey(id) },
      isOpen: async () => true,
    });
    for (const userId of ['bob', 'carl'])
      await engine.store.createPersonKey(userId, new Uint8Array(KEY_BYTES));
    const texts = await Promise.all(
      ['ann', 'bob', 'carl'].map((userId) => before.personKeys.encryptFor(userId, profileOf(userId))),
    );
    await before.personKeys.destroyKey('carl');
    const [ann = '', bob = '', carl = ''] = texts;
    return memoryLog([
      opened(1, 'ann', ann),
      opened(2, 'bob', bob),
      opened(3, 'carl', carl),
      recorded(4, 'account-ann', 'AccountSuspended', {}, 1),
    ]);
  };
  const fold = async () => {
    const log = await logOfThree();
    const store = openSqliteReadStore({ file: ':memory:' });
    return { store, running: started({ log, store, models: [accounts], ...openingWith(engine.keys) }) };
  };
  const namesIn = async (store: Parameters<typeof documentsOf>[0]) =>
    ((await documentsOf(store, 'accounts')) as readonly AccountDocument[]).map(
      ({ id, firstname, status }) => `${id} ${firstname} ${status}`,
    );

  test('holds that person’s stream and says why, and folds it once the key is there again', async () => {
    const { store, running } = await fold();
    await settled(running, '4');
    expect(await namesIn(store)).toEqual(['bob bob active', 'carl forgotten active']);
    const [build] = await store.builds();
    if (build === undefined) throw new Error('the model has a build');
    expect(await readParked(store, build.build)).toEqual([
      expect.objectContaining({
        position: '1',
        state: 'parked',
        error: expect.stringMatching(
          /The key of person ann is missing, and was never destroyed.+restore\.md/,
        ),
      }),
      expect.objectContaining({ position: '4', state: 'waiting' }),
    ]);
    expect(running.reports).toContainEqual(
      expect.objectContaining({
        type: 'parked',
        parked: 2,
        error: expect.stringContaining('The key of person ann is missing'),
      }),
    );
    expect(await running.runner.replayParked('accounts', 'account-ann')).toEqual({ replayed: 0, left: 2 });
    await engine.store.createPersonKey('ann', ANN);
    expect(await running.runner.replayParked('accounts', 'account-ann')).toEqual({ replayed: 2, left: 0 });
    await running.runner.stop();
    expect(await namesIn(store)).toEqual(['ann ann suspended', 'bob bob active', 'carl forgotten active']);
  });

  test('reads forgotten once the key is given up', async () => {
    const { store, running } = await fold();
    await settled(running, '4');
    await engine.store.giveUpPersonKeys(['ann'], 5);
    expect(await running.runner.replayParked('accounts', 'account-ann')).toEqual({ replayed: 2, left: 0 });
    await running.runner.stop();
    expect(await namesIn(store)).toContain('ann forgotten suspended');
  });

  test('is said by a comparison with the log, which can’t fold that event either', async () => {
    const log = await logOfThree();
    const [live, scratch] = [
      openSqliteReadStore({ file: ':memory:' }),
      openSqliteReadStore({ file: ':memory:' }),
    ];
    const before = { load: async () => {}, decrypt: (userId: string) => profileOf(userId) };
    const running = started({ log, store: live, models: [accounts], ...openingWith(before) });
    await settled(running, '4');
    await running.runner.stop();
    const [report] = await compareReadModels({
      log,
      live,
      scratch,
      models: [accounts],
      ...openingWith(engine.keys),
    });
    expect(report).toMatchObject({
      model: 'accounts',
      state: 'parked',
      what: expect.stringContaining('The key of person ann is missing'),
    });
  });

  test('waits for a store that can’t be asked, reads keys once a page, and parks nothing for it', async () => {
    await engine.store.createPersonKey('ann', ANN);
    const log = await logOfThree();
    const before = engine.reads();
    engine.breakDown?.();
    const store = openSqliteReadStore({ file: ':memory:' });
    const running = started({ log, store, models: [accounts], ...openingWith(engine.keys) });
    await settled(running, '4');
    await running.runner.stop();
    expect(running.reports.filter(({ type }) => type === 'parked')).toEqual([]);
    const failing = running.reports.filter(({ type }) => type === 'failing');
    expect(failing).toHaveLength(engine.breakDown === undefined ? 0 : 1);
    // One that was cut off, asked twice, and one that was answered.
    if (before !== undefined) expect(engine.reads()).toBe(before + 3);
    expect(await namesIn(store)).toHaveLength(3);
  });
});
