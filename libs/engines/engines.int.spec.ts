import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinEngines, openEngines, type Engines } from '#engines';
import { sealedEvents } from '#event-store/testing';
import { logStart, positionOf } from '#kernel';

let folder: string;
let open: Engines[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lode-engines-'));
  open = [];
});
afterEach(async () => {
  for (const engines of open) await engines.close();
  rmSync(folder, { recursive: true });
});

async function serve(tell?: (sentence: string) => void): Promise<Engines> {
  const engines = await openEngines({ dataFolder: folder }, 'serve', tell);
  open.push(engines);
  return engines;
}

describe('the engines of a folder', () => {
  test('are those of one program at a time, until it closes them', async () => {
    const first = await serve();
    await expect(serve()).rejects.toThrow(`Another Lode is running on ${folder}: stop it or set LODE_DATA.`);
    await first.close();
    await serve();
  });

  test('are let go of when one of them can not be opened', async () => {
    writeFileSync(join(folder, 'identity.sqlite'), 'no database'.repeat(100));
    await expect(serve()).rejects.toMatchObject({ code: 'storage_failed' });
    rmSync(join(folder, 'identity.sqlite'));
    await serve();
  });

  test('leave complete files, without a write-ahead log, when they are closed', async () => {
    const { events, close } = await serve();
    await events.append({ stream: 'a', expected: 'no-stream', events: sealedEvents('a', 0, 1) });
    await close();
    expect(readdirSync(folder).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
  });

  test('refuse a log without its identities before anything is made', async () => {
    const { events, close } = await serve();
    await events.append({ stream: 'a', expected: 'no-stream', events: sealedEvents('a', 0, 1) });
    await close();
    rmSync(join(folder, 'identity.sqlite'));
    await expect(serve()).rejects.toThrow('identity.sqlite is missing or empty');
    expect(existsSync(join(folder, 'identity.sqlite'))).toBe(false);
  });

  test('set what the processes remembered aside when it is damaged, and say so', async () => {
    writeFileSync(join(folder, 'processes.sqlite'), 'no database'.repeat(100));
    const told: string[] = [];
    const { openCheckpoints } = await serve((sentence) => told.push(sentence));
    expect(told).toEqual([expect.stringContaining('could not be used: they begin anew')]);
    const checkpoints = openCheckpoints({ name: 'reactors', epoch: 1 });
    expect(await checkpoints.load('transfers')).toEqual({ position: logStart, ordinal: 0, parked: [] });
  });
});

describe('the engines of a later start', () => {
  test('refuse what an earlier one writes to the read models', async () => {
    const engines = await serve();
    const joined = joinEngines(engines.share());
    const note = { collection: { name: 'notes', version: 1, indexes: [] }, how: { bulk: true } };
    const earlier = await joined.openModels(() => undefined);
    await earlier.begin(note.collection, note.how);
    const later = await joined.openModels(() => undefined);
    await expect(earlier.begin(note.collection, note.how)).rejects.toMatchObject({ code: 'conflict' });
    await later.begin(note.collection, note.how);
    for (const models of [earlier, later]) await models.close();
  });

  test('refuse what an earlier one remembers of reactors', async () => {
    const { leases, openCheckpoints } = await serve();
    const progress = { position: positionOf(1), ordinal: 1, put: [], remove: [] };
    const earlier = (await leases.acquire('reactors'))!;
    await openCheckpoints(earlier).save('transfers', progress);
    const later = (await leases.acquire('reactors'))!;
    await expect(openCheckpoints(earlier).save('transfers', progress)).rejects.toMatchObject({
      code: 'conflict',
    });
    await openCheckpoints(later).save('transfers', progress);
  });

  test('have the leases of the one before, and a newer epoch', async () => {
    const first = await serve();
    const lease = await first.leases.acquire('projector');
    await first.close();
    const second = await serve();
    expect((await second.leases.acquire('projector'))?.epoch).toBe((lease?.epoch ?? 0) + 1);
  });
});

describe('engines that were shared', () => {
  test('write to the same log, and hear of what others write', async () => {
    const engines = await serve();
    const joined = joinEngines(engines.share());
    const events = await joined.openEvents();
    const heard = new Promise<void>((resolve) => {
      events.onAppended(resolve);
    });
    await engines.events.append({ stream: 'a', expected: 'no-stream', events: sealedEvents('a', 0, 1) });
    await heard;
    await events.append({ stream: 'b', expected: 'no-stream', events: sealedEvents('b', 0, 2) });
    expect((await engines.events.readAll(logStart, 10)).map(({ stream }) => stream)).toEqual(['a', 'b', 'b']);
    await events.close();
  });

  test('write the read models that the others query', async () => {
    const engines = await serve();
    const joined = joinEngines(engines.share());
    const models = await joined.openModels(() => undefined);
    const build = await models.begin({ name: 'notes', version: 1, indexes: [] }, { bulk: true });
    const head = await engines.events.head();
    const note = { id: 'n', position: head };
    await models.write([{ build, checkpoint: { position: head, ordinal: 1 }, put: [note], remove: [] }]);
    await models.activate(build);
    expect(await engines.models.get('notes', 'n')).toEqual(note);
    await engines.models.close();
    await models.close();
  });
});
