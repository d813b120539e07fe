import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { comparePositions, positionOf, type Position } from '#kernel';
import { canTrace, describeWhere, until } from '#kernel/testing';
import {
  apiOf,
  commandsIn,
  credit,
  dataFolders,
  firstAdmin,
  inspect,
  join,
  killAll,
  lode,
  notOn,
  pageOf,
  PASSWORD,
  runInShell,
  signIn,
  spawnProgram,
  startProgram,
  tell,
  untilKept,
  type Listening,
  type Person,
  type Program,
} from '../testing/index.js';

const isElsewhere = notOn(['eventstore', 'mongodb', 's3'], 'a data folder that is spoilt');
const describeInFolder = isElsewhere ? describe.skip : describe;
const CREDITS = 5;

const programs: Program[] = [];
const { newFolder, removeFolders } = dataFolders();
let folder: string;
let admin: Person;
let ann: Person;

beforeAll(async () => {
  folder = newFolder();
  const program = await start(folder);
  admin = await firstAdmin(program);
  ann = await join(program.visitor, 'Ann');
  program.child.kill('SIGTERM');
  await program.ended;
});
afterEach(() => killAll(programs));
afterAll(removeFolders);

async function start(path: string): Promise<Listening> {
  const program = await startProgram(path);
  programs.push(program);
  return program;
}

/** What a start that is refused prints. */
async function refusal(path: string): Promise<string> {
  const program = spawnProgram({ LODE_DATA: path });
  programs.push(program);
  expect((await program.ended).code).toBe(1);
  return program.printed.err;
}

function copyOf(path: string, isCopied: (name: string) => boolean = () => true): string {
  const copy = newFolder();
  for (const name of readdirSync(path))
    if (isCopied(name)) cpSync(pathJoin(path, name), pathJoin(copy, name), { recursive: true });
  return copy;
}

/** The head that is kept, as `lode doctor` tells it, on whatever engine. */
async function headOf(path: string): Promise<{ readonly position: Position; readonly ageSeconds: number }> {
  const { json } = await tell(path, 'doctor');
  return json['head'] as Awaited<ReturnType<typeof headOf>>;
}

async function endOf(path: string): Promise<Position> {
  const log = await (await inspect(path)).openLog();
  return log.head().finally(log.close);
}

/** Goes on for some credits, until the head has them, and dies. */
async function goOnAndDie(path: string): Promise<void> {
  const program = await start(path);
  const api = apiOf(program.visitor, admin);
  for (let n = 0; n < CREDITS; n += 1) await credit({ ...admin, api }, ann, { BTC: '1.00' });
  const end = await endOf(path);
  await untilKept(path, end);
  program.child.kill('SIGKILL');
  await program.ended;
}

describe('the head of log and identities', () => {
  test('is kept while the program runs, each second, and when it stops; doctor tells it', async () => {
    const path = newFolder();
    const program = await start(path);
    const one = await firstAdmin(program);
    const carl = await join(program.visitor, 'Carl');
    await credit(one, carl, { BTC: '1.00' });
    const end = await endOf(path);
    await untilKept(path, end);
    expect(comparePositions((await headOf(path)).position, end)).toBeGreaterThanOrEqual(0);
    await credit(one, carl, { BTC: '1.00' });
    const stopping = Date.now();
    program.child.kill('SIGTERM');
    await program.ended;
    const head = await headOf(path);
    expect(head.position).toBe(await endOf(path));
    // It was kept once more as the program stopped; a whole second may be rounded up.
    expect(head.ageSeconds).toBeLessThanOrEqual((Date.now() - stopping) / 1_000 + 1);
    expect((await lode(path, 'doctor')).out).toMatch(
      /Its head was kept last at position \d+, .+ seconds ago\./,
    );
  });

  test('refuses no start after a program was killed, at whatever moment', async () => {
    const path = newFolder();
    const first = await start(path);
    const one = await firstAdmin(first);
    const carl = await join(first.visitor, 'Carl');
    let program = first;
    for (let n = 0; n < 3; n += 1) {
      const api = apiOf(program.visitor, one);
      const sent = Array.from({ length: CREDITS }, () => credit({ ...one, api }, carl, { BTC: '1.00' }));
      await Promise.any(sent);
      program.child.kill('SIGKILL');
      await Promise.allSettled([program.ended, ...sent]);
      program = await start(path);
    }
    expect(await (await inspect(path)).headReport()).toMatchObject({ wrong: [] });
  });
});

describeWhere(canTrace() && !isElsewhere, 'a head that can’t be written anew', 'no strace', () => {
  /** From now on nobody of the program can make the new file of the head; `mend` ends that. */
  async function refuseNewHead(path: string, { child }: Listening, error: string) {
    const file = pathJoin(path, 'head.new');
    const tracing = spawn(
      'strace',
      ['-f', '-o', '/dev/null', '-P', file, '-e', 'trace=openat']
        .concat(['-e', `inject=openat:error=${error}`])
        .concat(['-p', String(child.pid)]),
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    tracing.stderr.setEncoding('utf8');
    while (!said.includes('attached')) said += String((await once(tracing.stderr, 'data'))[0]);
    return {
      mend: async () => {
        tracing.kill('SIGTERM');
        await once(tracing, 'exit');
      },
    };
  }

  const headIn = async ({ visitor }: Listening) => {
    const { status, checks } = await visitor.get('healthReady');
    return { status, head: checks['head'] };
  };
  const changes = async (path: string, program: Listening) => {
    await join(program.visitor, 'Carl');
    return endOf(path);
  };

  test('because a quota is used up is written over the old one, as on a full disk', async () => {
    const path = copyOf(folder);
    const program = await start(path);
    const { mend } = await refuseNewHead(path, program, 'EDQUOT');
    await untilKept(path, await changes(path, program));
    expect(await headIn(program)).toEqual({ status: 'ok', head: 'kept' });
    await mend();
  });

  test('for any other reason is told by health, a metric and once by the output, until it is mended', async () => {
    const path = copyOf(folder);
    const program = await start(path);
    const { mend } = await refuseNewHead(path, program, 'EROFS');
    const end = await changes(path, program);
    await until(async () => (await headIn(program)).status === 'degraded');
    const { head } = await headIn(program);
    expect(head).toMatch(/^not kept for \d+ s: storage_failed$/);
    const age = async () =>
      Number(/^lode_head_age_seconds (.+)$/m.exec((await program.visitor.call('metrics')).text)?.[1]);
    const before = await age();
    // A second refusal, and a third.
    await until(async () => (await age()) > Math.max(before, 3));
    const told = program.printed.out.split('\n').filter((line) => line.includes('can not be kept'));
    expect(told).toEqual([expect.stringContaining('head.new is on a disk that takes no changes.')]);
    const oldest = await age();
    await mend();
    await untilKept(path, end);
    await until(async () => (await headIn(program)).head === 'kept');
    // It grows younger by being kept alone.
    await until(async () => (await age()) < oldest);
  });
});

describeInFolder('a folder that was copied without its write-ahead logs', () => {
  let killed: string;
  beforeAll(async () => {
    killed = copyOf(folder);
    await goOnAndDie(killed);
  });

  test('is refused with what is lost, and gone on with once that is accepted, which is recorded', async () => {
    const path = copyOf(killed, (name) => !/-(?:wal|shm)$|^read-models|^processes/.test(name));
    const lost = /: \d+ events since then are lost\./;
    expect(await refusal(path)).toMatch(lost);
    expect((await tell(path, 'verify')).json['wrong']).toContainEqual(expect.stringMatching(lost));
    expect((await lode(path, 'doctor')).out).toMatch(lost);
    expect((await lode(path, 'accept-stores')).code).toBe(2);
    expect(await refusal(path)).toMatch(lost);
    expect(await tell(path, 'accept-stores', '--yes', '--reason', 'a new disk')).toMatchObject({
      code: 0,
      json: { outcome: 'accepted', wrong: expect.arrayContaining([expect.stringMatching(lost)]) },
    });
    expect(await tell(path, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    const log = await (await inspect(path)).openLog();
    expect(await log.last()).toMatchObject({
      type: 'StoresAccepted',
      data: {
        reason: 'a new disk',
        found: {},
        was: {},
        wrong: expect.arrayContaining([expect.stringMatching(lost)]),
      },
    });
    await log.close();
    expect(await tell(path, 'accept-stores', '--yes')).toMatchObject({
      code: 0,
      json: { outcome: 'nothing' },
    });
    const program = await start(path);
    expect((await signIn(program.visitor, ann)).userId).toBe(ann.userId);
  });

  test('is refused also without its head', async () => {
    const path = copyOf(killed, (name) => name.endsWith('.sqlite') && !/^read-models|^processes/.test(name));
    expect(await refusal(path)).toContain('head is missing: it can');
  });
});

describeInFolder('an identity store that has lost its last changes', () => {
  test('does not bring an old password back', async () => {
    const path = copyOf(folder);
    const program = await start(path);
    const { api } = await signIn(program.visitor, ann);
    await api.get('changePassword', { body: { oldPassword: PASSWORD, newPassword: 'a new one' } });
    await headHasAll(path);
    program.child.kill('SIGKILL');
    await program.ended;
    for (const suffix of ['-wal', '-shm'])
      rmSync(pathJoin(path, `identity.sqlite${suffix}`), { force: true });
    expect(await refusal(path)).toMatch(
      /is as it was \d+ changes? before .+: passwords, pins, keys of people/,
    );
    expect((await tell(path, 'rebuild')).code).toBe(1);
  });

  /** Waits until the head has the last change of identities. */
  async function headHasAll(path: string): Promise<void> {
    await until(async () => {
      const { kept, found } = await (await inspect(path)).headReport();
      return kept?.changes === found.changes;
    });
  }
});

describeInFolder('keys that are lost', () => {
  test('are entered as that by a command, counted by verify, and read forgotten', async () => {
    const path = copyOf(folder);
    const db = new DatabaseSync(pathJoin(path, 'identity.sqlite'));
    db.prepare('DELETE FROM person_key WHERE user_id = ?').run(ann.userId);
    db.close();
    expect((await lode(path, 'give-up-keys')).code).toBe(2);
    expect(await tell(path, 'give-up-keys', '--yes')).toMatchObject({
      code: 0,
      json: { givenUp: 1, lost: 1 },
    });
    expect(await tell(path, 'give-up-keys', '--yes')).toMatchObject({
      code: 0,
      json: { givenUp: 0, lost: 1 },
    });
    expect((await lode(path, 'rebuild')).code).toBe(0);
    expect(await tell(path, 'verify')).toMatchObject({ code: 0, json: { lostKeys: 1 } });
    expect((await lode(path, 'verify')).out).toContain('given up as lost: 1.');
    const program = await start(path);
    const { head } = await apiOf(program.visitor, admin).get('projections');
    const account = await apiOf(program.visitor, admin).get('account', {
      params: { userId: ann.userId },
      headers: { 'Lode-Position': head },
    });
    expect(account).toMatchObject({ firstname: 'forgotten' });
  });
});

describeInFolder('a moment in time', () => {
  test('is restored by the commands of the page: a backup, and the beginning of a later export', async () => {
    const data = copyOf(folder);
    const place = newFolder();
    expect((await tell(data, 'backup', pathJoin(place, 'backups/monday'))).code).toBe(0);
    const before = Number(await endOf(data));
    await goOnAndDie(data);
    const end = Number(await endOf(data));
    const moment = before + 3;
    expect(end).toBeGreaterThan(moment);
    cpSync(data, pathJoin(place, 'data'), { recursive: true });
    const block = commandsIn(
      pageOf('how-to/restore.md').split('## A moment in time')[1]?.split('\n## ')[0] ?? '',
    );
    expect(block).toContain('head -n ');
    const script = block.replace(/head -n \d+/, `head -n ${moment}`);
    const { code, out, err } = await runInShell(script, place);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`A new head is kept: the log ends at position ${before}.`);
    expect(out).toContain(`A new head is kept: the log ends at position ${moment}.`);
    const restored = pathJoin(place, 'moment');
    expect(Number(await endOf(restored))).toBe(moment);
    expect(existsSync(pathJoin(restored, 'head'))).toBe(true);
    const program = await start(restored);
    const me = await (
      await signIn(program.visitor, ann)
    ).api.get('me', {
      headers: { 'Lode-Position': await endOf(restored) },
    });
    const log = await (await inspect(data)).openLog();
    const credits = (await log.readAll(positionOf(before), moment - before)).filter(
      ({ type }) => type === 'WalletCredited',
    );
    await log.close();
    expect(credits.length).toBeGreaterThan(0);
    expect(me.balances.BTC.available).toBe(`${credits.length}.00000000`);
    expect(readFileSync(pathJoin(restored, 'head'), 'utf8')).toContain('"changes"');
  });
});
