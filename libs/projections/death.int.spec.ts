import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { readParked } from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import { documentsOf, memoryLog, noted, notes, settled, started } from './testing/index.js';

const mortal = fileURLToPath(new URL('./testing/mortal.js', import.meta.url));
/** Once in the batch, once in a part of it, and the rest by itself: as often as any event is tried. */
const DELIVERIES = 5;
const STARTS_MAX = 12;

describe('an event whose handling ends the process', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lode-projections-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('is parked after as many deaths as it has tries, and all others are folded', async () => {
    const file = join(folder, 'mortal.sqlite');
    let deaths = 0;
    while (spawnSync(process.execPath, [mortal, file]).signal === 'SIGKILL' && deaths < STARTS_MAX) deaths++;
    expect(deaths).toBe(DELIVERIES);
    const store = openSqliteReadStore({ file });
    const [active] = (await store.builds()).filter(({ build }) => build.collection === 'notes');
    if (active === undefined) throw new Error('notes were not built');
    expect(active).toMatchObject({ state: 'active', checkpoint: { position: '3000', ordinal: 3_000 } });
    const [first, ...waiting] = await readParked(store, active.build);
    expect(first).toMatchObject({
      position: '2345',
      state: 'parked',
      attempts: 5,
      error: expect.stringMatching(/ended 5/),
    });
    expect(waiting.every(({ state, stream }) => state === 'waiting' && stream === first?.stream)).toBe(true);
    expect(await store.get('notes', 'all')).toMatchObject({ texts: [String(3_000 - 1 - waiting.length)] });
    await store.close();
  });

  test('a file of read models that is deleted is made again to the byte', async () => {
    const file = join(folder, 'again.sqlite');
    const log = memoryLog(Array.from({ length: 500 }, (_, n) => noted(n + 1, `s${n % 30}`)));
    const bytes: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      rmSync(file, { force: true });
      const store = openSqliteReadStore({ file });
      const running = started({ log, store, models: [notes()] });
      await settled(running, '500');
      await running.runner.stop();
      expect(await documentsOf(store, 'notes')).toHaveLength(31);
      const [active] = (await store.builds()).filter(({ build }) => build.collection === 'notes');
      await store.close();
      const database = new DatabaseSync(file, { readOnly: true });
      const table = `notes@1.${active?.build.number}`;
      bytes.push(database.prepare(`SELECT id, document FROM "${table}" ORDER BY id`).all());
      database.close();
    }
    expect(bytes[1]).toEqual(bytes[0]);
  });
});
