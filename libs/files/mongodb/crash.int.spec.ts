import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMongoFileCatalogue } from '#files/mongodb';
import { opened } from '#kernel/testing';
import { spawnDouble, type DoubleProcess } from '#mongodb/double';
import { fill, idOf, operations, sweptIn } from './testing/index.js';

describe('a MongoDB server (double) that is killed between two writes', () => {
  let folder: string;
  let server: DoubleProcess;
  const open = (patience: { readonly selectMs?: number } = {}) =>
    openMongoFileCatalogue({ url: server.url(), database: 'lode', ...patience });
  /** One that says soon that the server is dead. */
  const openHasty = () => opened(() => open({ selectMs: 1_000 }));
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-catalogue-'));
    server = await spawnDouble(join(folder, 'data'), 'rs0');
  });
  afterEach(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });

  const each = Object.entries(operations).flatMap(([name, one]) =>
    Array.from({ length: one.writes }, (_, n) => [name, n + 1, one] as const),
  );
  test.each(each)('in %s, after write %i', async (name, written, { before, work }) => {
    const catalogue = await openHasty();
    await fill(catalogue);
    await before?.(catalogue);
    await server.dieAfter(written);
    const worked = work(catalogue).catch((error: unknown) => error);
    await server.died();
    await worked;
    await server.revive();
    await catalogue.close();
    const again = await open();
    const left = await sweptIn(server.url(), again);
    const isGone = name === 'markDeleting of one that is stored';
    const isStored = name === 'markStored';
    expect(left).toEqual([...(isStored ? [idOf('pending')] : []), ...(isGone ? [] : [idOf('stored')])]);
    await again.close();
  });
});
