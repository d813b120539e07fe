import { afterEach, expect, test } from '@jest/globals';
import { truncateSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { canMount, mountTmpfs } from '#event-store/sqlite/testing';
import { roomOn } from '#engines';
import {
  credit,
  dataFolder,
  firstAdmin,
  formOf,
  join,
  killAll,
  PDF,
  problemIn,
  startProgram,
  type Answer,
  type Listening,
  type Person,
} from '../testing/index.js';

const MEBIBYTE = 1_024 * 1_024;
/** What stays free of the disk: less than a twentieth, and enough for the log. */
const LEFT = 2.8 * MEBIBYTE;

const programs: Listening[] = [];
afterEach(() => killAll(programs));

/** What an upload of a PDF of about a mebibyte answers. */
function send({ api }: Person): Promise<Answer> {
  const form = formOf(Uint8Array.from(Buffer.concat([PDF, Buffer.alloc(MEBIBYTE)])));
  return api.call('uploadEvidence', { form });
}

async function begin(folder: string, env: Readonly<Record<string, string>> = {}) {
  const program = await startProgram(folder, env);
  programs.push(program);
  const admin = await firstAdmin(program);
  return { program, admin, ann: await join(program.visitor, 'Ann') };
}

/** Uploads are refused and told of, and money moves on. */
async function expectClosed({ program, admin, ann }: Awaited<ReturnType<typeof begin>>, setting: string) {
  expect(problemIn(await send(ann))).toMatchObject({
    status: 503,
    code: 'storage_full',
    detail: 'There is no room to store this.',
  });
  await credit(admin, ann, { BTC: '7.00' });
  const ready = await program.visitor.get('healthReady');
  expect(ready).toMatchObject({ status: 'degraded', checks: { disk: expect.stringContaining(setting) } });
}

test('uploads end where all files together take what they may, and the log goes on', async () => {
  const folder = dataFolder();
  const begun = await begin(folder.path, { LODE_FILES_MIB: '2' });
  for (let taken = 0; taken < 2; taken++) expect((await send(begun.ann)).status).toBe(201);
  await expectClosed(begun, 'LODE_FILES_MIB');
  await killAll(programs);
  await folder.remove();
});

(canMount('uploads on a disk with little left') ? test : test.skip)(
  'uploads end where little of the disk is left, go on when there is room, and the log goes on',
  async () => {
    const disk = mountTmpfs('size=64m');
    const ballast = pathJoin(disk.folder, 'ballast');
    try {
      const begun = await begin(pathJoin(disk.folder, 'data'));
      expect((await send(begun.ann)).status).toBe(201);
      writeFileSync(ballast, Buffer.alloc(Math.floor(roomOn(disk.folder).freeBytes - LEFT)));
      await expectClosed(begun, 'LODE_FREE_MIB');
      truncateSync(ballast, 0);
      expect((await send(begun.ann)).status).toBe(201);
    } finally {
      await killAll(programs);
      disk.unmount();
    }
  },
);
