import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryEventStore } from '#event-store/memory';
import { purposeRules, type FileOwner } from '#files';
import { openFolderFiles } from '#files/folder';
import { positionOf, type Clock } from '#kernel';
import { accounts, products, requests, type ModelHealth, type ReadModel } from '#projections';
import type { Document } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { createAggregates } from '../aggregates.js';
import { SweepFiles, SweepFilesHandler } from './sweep.js';

const NOW = Date.parse('2026-03-01T00:00:00.000Z');
const OLD = NOW - purposeRules['product-image'].unnamedMs - 2 * 60 * 60_000;
const FIRST = positionOf(1n);
const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');

/** A program that has files and documents only; `models` says how they stand. */
async function world(folder: string) {
  let now = OLD;
  const clock: Clock = () => now;
  const files = await openFolderFiles({ folder, clock });
  const readStore = openSqliteReadStore({ file: ':memory:' });
  const health = { state: { parked: 0, discarded: 0, isCurrent: true } };
  const engines = {
    eventStore: createMemoryEventStore(),
    readStore,
    files,
    clock,
    projections: {
      waitFor: () => Promise.resolve(health.state.isCurrent),
      status: () =>
        Promise.resolve(
          ['accounts', 'requests', 'products'].map(
            (name) =>
              ({ name, parked: health.state.parked, discarded: health.state.discarded }) as ModelHealth,
          ),
        ),
    },
  };
  const build = async (model: ReadModel, documents: readonly Document[]) => {
    const built = await readStore.begin(model, { bulk: true });
    await readStore.write([
      { build: built, checkpoint: { position: FIRST, ordinal: 1 }, put: documents, remove: [] },
    ]);
    await readStore.activate(built);
  };
  const put = async (purpose: FileOwner['purpose'], ownerId = 'ann') =>
    (await files.put(PDF, { ownerId, purpose })).fileId;
  return {
    files,
    health,
    put,
    aggregates: createAggregates({ eventStore: engines.eventStore, clock }),
    engines,
    build,
    later: () => void (now = NOW),
    left: async () => (await files.list({ limit: 100 })).map(({ fileId }) => fileId),
    close: async () => {
      await files.close();
      await readStore.close();
    },
  };
}

/** A run, each going on where the one before stopped; gives how many files it deleted. */
function sweepOf({ engines, aggregates }: Pick<Awaited<ReturnType<typeof world>>, 'engines' | 'aggregates'>) {
  const handler = new SweepFilesHandler({ ...engines, aggregates });
  const actor = { kind: 'system', id: 'file-sweep', role: 'system' } as const;
  let after: string | undefined;
  return async () => {
    const { next, ...swept } = await handler.execute(new SweepFiles({ actor }, after));
    after = next;
    return swept;
  };
}

describe('the sweep of files', () => {
  let folder: string;
  let its: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-sweep-'));
    its = await world(folder);
  });
  afterEach(async () => {
    await its.close();
    rmSync(folder, { recursive: true });
  });

  /** Documents that name some of what was uploaded. */
  async function uploaded() {
    const { put, build } = its;
    const kept = {
      evidence: await put('evidence'),
      profile: await put('profile-image'),
      image: await put('product-image'),
      owner: await put('product-image'),
      recommended: await put('product-recommended'),
    };
    const gone = [
      await put('evidence'),
      await put('evidence', 'bob'),
      await put('profile-image'),
      await put('profile-image', 'nobody'),
      await put('product-image'),
      await put('product-recommended'),
    ];
    const request = {
      createdAt: '2026-02-27',
      currency: 'BTC',
      position: FIRST,
      status: 'Pending',
      userId: 'ann',
    };
    await build(requests, [
      { ...request, id: 'r1', type: 'Funding', evidence: { fileId: kept.evidence } },
      { ...request, id: 'r2', type: 'withdrawal' },
    ]);
    const order = { created: '', lastnameKey: '', emailKey: '', nameKey: '', role: 'user', status: 'active' };
    const person = { ...order, accountNumber: '30', bonusDay: '', bonusNextDay: '', position: FIRST };
    await build(accounts, [{ ...person, id: 'ann', userId: 'ann', image: { fileId: kept.profile } }]);
    await build(products, [
      {
        id: 'p1',
        position: FIRST,
        createdAt: '2026-02-27',
        shown: 'no',
        nameKey: 'rig',
        image: kept.image,
        ownerImage: kept.owner,
        recommendedImages: [kept.recommended],
      },
    ]);
    return { kept: Object.values(kept).sort(), gone };
  }

  test('keeps what an account, a request or a product names, and deletes the rest once it is old', async () => {
    const { kept, gone } = await uploaded();
    const sweep = sweepOf(its);
    expect(await sweep()).toEqual({ deleted: 0, finished: 0, failed: 0 });
    its.later();
    const young = await its.put('evidence');
    expect(await sweep()).toEqual({ deleted: gone.length, finished: 0, failed: 0 });
    expect(await its.left()).toEqual([...kept, young].sort());
  });

  /** Leaves an upload behind as a program that died in the middle of it. */
  async function cutOff(): Promise<void> {
    const path = join(folder, 'unfinished', 'A'.repeat(35));
    await writeFile(path, PDF);
    await utimes(path, OLD / 1_000, OLD / 1_000);
  }

  test('finishes what a program that ended left in the store, also while the read models are behind', async () => {
    await uploaded();
    its.later();
    await cutOff();
    its.health.state = { parked: 0, discarded: 0, isCurrent: false };
    await expect(sweepOf(its)()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
    await cutOff();
    its.health.state = { parked: 0, discarded: 0, isCurrent: true };
    expect(await sweepOf(its)()).toMatchObject({ finished: 1, failed: 0 });
  });

  test.each([
    ['an event was parked', { parked: 1, discarded: 0, isCurrent: true }],
    ['an event was discarded', { parked: 0, discarded: 1, isCurrent: true }],
    ['the read models are behind', { parked: 0, discarded: 0, isCurrent: false }],
  ])('deletes nothing while %s', async (_, state) => {
    await uploaded();
    its.later();
    const before = await its.left();
    its.health.state = state;
    await expect(sweepOf(its)()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await its.left()).toEqual(before);
  });

  test('deletes nothing while there are no read models', async () => {
    await its.put('evidence');
    its.later();
    await expect(sweepOf(its)()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await its.left()).toHaveLength(1);
  });

  test('keeps what the site’s texts name', async () => {
    const { gone } = await uploaded();
    const image = gone[4] ?? '';
    const [film, unnamed] = [await its.put('site-media'), await its.put('site-media')];
    const images = [`/files/products/${image}.webp`, `/image/${film}.mp4`];
    await its.aggregates.settings.execute(
      'settings-global',
      { type: 'ChangeContent', content: { hero: { images } } },
      {
        actor: { kind: 'person', id: 'a1', role: 'admin' },
        commandId: 'c1',
        requestHash: 'h1',
        correlationId: 'c1',
        causationId: 'c1',
      },
    );
    its.later();
    expect(await sweepOf(its)()).toMatchObject({ deleted: gone.length });
    expect(await its.left()).toEqual(expect.arrayContaining([film, image]));
    expect(await its.left()).not.toContain(unnamed);
  });
});
