import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bulkAdjustmentsAnswer } from '#contracts';
import { canTrace, describeWhere } from '#kernel/testing';
import { accountStream } from '#ledger';
import {
  finished,
  keyed,
  killAll,
  notOn,
  problemIn,
  signIn,
  startProgram,
  usedFolder,
  type Answer,
  type Listening,
  type Person,
  type Used,
} from '../testing/index.js';

const UNKNOWN = "We don't know yet whether this was done. Send it again: it is never done twice.";
/** What a commit ends with. */
const SYNCS = 'fsync,fdatasync';

const isHere = canTrace() && !notOn(['eventstore'], 'a failing fsync of the log');

/** From now on these calls of a program on what its log is written to first fail so. */
async function hurtLog({ child }: Listening, folder: string, how: string, calls = SYNCS): Promise<void> {
  const log = pathJoin(folder, 'events.sqlite-wal');
  const tracing = spawn(
    'strace',
    [
      ...['-f', '-o', '/dev/null', '-P', log, '-e', `trace=${calls}`, '-e', `inject=${calls}:${how}`],
      ...['-p', String(child.pid)],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  tracing.stderr.setEncoding('utf8');
  while (!said.includes('attached')) said += String((await once(tracing.stderr, 'data'))[0]);
}

let used: Used;
const programs: Listening[] = [];
afterEach(() => killAll(programs));

/** What a program does for the admin of the folder. */
async function begin(folder: string): Promise<{ readonly program: Listening; readonly admin: Person }> {
  const program = await startProgram(folder);
  programs.push(program);
  const admin = await signIn(program.visitor, used.admin);
  // What follows from that is written, and nothing is on its way to the disk.
  await finished(program.visitor, admin);
  return { program, admin };
}

const credit = ({ api }: Person, key: string, { userId } = used.ann): Promise<Answer> =>
  api.call('adjustWallet', {
    params: { userId },
    body: { amounts: { BTC: '7.00' }, reason: 'a test' },
    headers: keyed(key),
  });
const book = async ({ api }: Person, keys: readonly string[]) => {
  const items = keys.map((key) => ({ key, userId: used.ann.userId, amounts: { BTC: '7.00' } }));
  const answer = await api.call('adjustWallets', { body: { reason: 'a test', items } });
  return bulkAdjustmentsAnswer.parse(answer.json);
};

/** How often the log has such a credit. */
function credits(folder: string): number {
  const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'), { readOnly: true });
  const [row] = db
    .prepare(
      `SELECT count(*) AS n FROM events e JOIN streams s ON s.id = e.stream
       WHERE s.name = ? AND e.type = 'WalletCredited' AND e.body LIKE '%"a test"%'`,
    )
    .all(accountStream(used.ann.userId));
  db.close();
  return Number(row?.['n']);
}

describeWhere(isHere, 'a program whose log’s disk fails', 'strace is not there, or not allowed here', () => {
  beforeAll(async () => {
    used = await usedFolder();
  });
  afterAll(() => used.remove());

  test('in a commit answers that nobody knows until it is started again, and then the truth', async () => {
    const folder = used.copy();
    const { program, admin } = await begin(folder);
    const [key, after] = [randomUUID(), randomUUID()];
    await hurtLog(program, folder, 'error=EIO');
    for (const answer of [await credit(admin, key), await credit(admin, key), await credit(admin, key)]) {
      expect(problemIn(answer)).toMatchObject({ status: 503, code: 'unknown_outcome', detail: UNKNOWN });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    // What came later was never handed to the disk.
    expect(problemIn(await credit(admin, after))).toMatchObject({ code: 'storage_failed' });
    expect(await book(admin, [randomUUID()])).toMatchObject({ applied: 0, refused: 1 });

    await killAll(programs);
    const before = credits(folder);
    const { admin: again } = await begin(folder);
    const answer = await credit(again, key);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([
      200,
      before === 1 ? 'true' : null,
    ]);
    expect((await credit(again, after)).status).toBe(200);
    expect(credits(folder)).toBe(2);
  });

  test('in a commit of many answers for each that nobody knows, and each is there once in the end', async () => {
    const folder = used.copy();
    const { program, admin } = await begin(folder);
    const keys = Array.from({ length: 3 }, () => randomUUID());
    await hurtLog(program, folder, 'error=EIO');
    for (const answer of [await book(admin, keys), await book(admin, keys)]) {
      expect(answer).toMatchObject({ applied: 0, refused: 0, unknown: 3 });
      expect(answer.results.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown']);
    }
    await killAll(programs);
    const { admin: again } = await begin(folder);
    expect(await book(again, keys)).toMatchObject({ applied: 3, refused: 0 });
    expect(credits(folder)).toBe(3);
  });

  test('that is full before it has any of a commit refuses it, and takes it under its key when there is room', async () => {
    const folder = used.copy();
    const { program, admin } = await begin(folder);
    const key = randomUUID();
    await hurtLog(program, folder, 'error=ENOSPC:when=1', 'pwrite64');
    expect(problemIn(await credit(admin, key))).toMatchObject({ status: 503, code: 'storage_full' });
    expect(credits(folder)).toBe(0);
    const answer = await credit(admin, key);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect(credits(folder)).toBe(1);
  });

  test('that is killed in a commit has done it once or not at all, and says which', async () => {
    const folder = used.copy();
    const { program, admin } = await begin(folder);
    const key = randomUUID();
    await hurtLog(program, folder, 'signal=SIGKILL');
    await expect(credit(admin, key)).rejects.toThrow();
    expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
    const before = credits(folder);
    const { admin: again } = await begin(folder);
    const answer = await credit(again, key);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([
      200,
      before === 1 ? 'true' : null,
    ]);
    expect(credits(folder)).toBe(1);
  });
});
