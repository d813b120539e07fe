import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteEventStore } from '#event-store/sqlite';
import { checkLog } from '#event-store/testing';
import { canTrace, describeWhere } from '#kernel/testing';

const PROGRAM = fileURLToPath(new URL('./testing/write-until-failure.js', import.meta.url));
const INJECT = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync'];

function strace(...rest: readonly string[]) {
  return spawnSync('strace', [...INJECT, ...rest], { encoding: 'utf8' });
}

describeWhere(canTrace(), 'a disk that fails an fsync', 'strace is not there, or not allowed here', () => {
  test('once is never written to again, though it would succeed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lode-fsync-'));
    const file = join(folder, 'events.sqlite');
    const { stdout } = strace(
      '-e',
      'inject=fsync,fdatasync:error=EIO:when=20',
      process.execPath,
      PROGRAM,
      file,
    );
    const seen = JSON.parse(stdout) as { taken: number; codes: string[]; read: number };
    // It was handed to the disk; the others were not.
    expect(seen.codes).toEqual(['unknown_outcome', 'storage_failed', 'storage_failed']);
    expect(seen.read).toBe(seen.taken);
    const store = await openSqliteEventStore({ file });
    // The failed one may be there after all; what was answered as written must be.
    const found = (await checkLog(store)).length;
    expect([seen.taken, seen.taken + 1]).toContain(found);
    await store.close();
    rmSync(folder, { recursive: true });
  });
});
