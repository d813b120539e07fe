import { afterAll, afterEach, expect, test } from '@jest/globals';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { MANIFEST } from '#engines';
import { logStart } from '#kernel';
import { describeWhere, mustRun } from '#kernel/testing';
import {
  canRecord,
  checkBooks,
  checkCommands,
  checkContract,
  checkFiles,
  checkGuests,
  checkInvitations,
  checkSame,
  createOthers,
  createRecorder,
  losePower,
  OPTIONS,
  playRound,
  turns,
  type Loss,
  type Recorder,
  type RoundParts,
  type Turn,
  checkRepeated,
  createWork,
  credit,
  customersAtWork,
  dataFolders,
  drawnFrom,
  finished,
  firstAdmin,
  IDLE,
  idleCustomers,
  inspect,
  isDone,
  join,
  lode,
  notOn,
  SEED,
  setPin,
  signIn,
  startProgram,
  tell,
  type Listening,
  type Person,
} from '../testing/index.js';
/** How often the power goes, in data folders of their own. */
const LOSSES = Number(process.env['LODE_POWER_LOSSES'] ?? 25);
const LOSSES_OF_FOLDER = 25;
/** Where every loss is written to as a line, for whoever asked for many. */
const REPORT = process.env['LODE_POWER_REPORT'];
const FOLDERS = Array.from({ length: Math.ceil(LOSSES / LOSSES_OF_FOLDER) }, (_, n) => `${SEED}.${n}`);
/** What the losses of a folder come in the middle of, in turn. */
const ORDER = ['work', 'start', 'work', 'checkpoint', 'work', 'rebuild', 'work', 'backup'] as const;
/** Commands of a round that are sent once more after it. */
const REPEATED = 12;
/** Days of bonus that those who are let in have waited for. */
const BONUS_DAYS = 3;
/** Credits that a disk is tried with, and more events than there are then. */
const [CREDITS, EVENTS_MAX] = [20, 1_000];
/** Ends a test that hangs: many times what the losses take on a busy, slow machine. */
const TEST_MS = 600_000 + LOSSES_OF_FOLDER * 120_000;
const VERIFIER = new URL('../../../../docs/examples/verify.py', import.meta.url).pathname;

const { newFolder, removeFolders } = dataFolders();
const children: ChildProcess[] = [];
const losses: (Loss & { readonly acknowledged: number })[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await removeFolders();
});
afterAll(() => {
  if (losses.length === 0) return;
  const sum = (of: (loss: (typeof losses)[number]) => number) =>
    losses.reduce((all, one) => all + of(one), 0);
  const cuts = turns.map((turn) => `${losses.filter((loss) => loss.turn === turn).length} in ${turn}`);
  process.stderr.write(
    `${losses.length} losses of power (${cuts.join(', ')}), ${sum(({ writes }) => writes)} writes and ` +
      `${sum(({ names }) => names)} names undone, ${sum(({ acknowledged }) => acknowledged)} commands acknowledged\n`,
  );
});

type Parts = RoundParts & { readonly uploader: Person };

/** People who write, on a program that was started and left for it. */
async function prepared(recorder: Recorder, draw: () => number): Promise<Parts> {
  const empty = await startProgram(recorder.data, recorder.env);
  await stop(empty);
  const idle = [...(await idleCustomers(recorder.data, LOSSES_OF_FOLDER * IDLE, BONUS_DAYS))];
  const program = await startProgram(recorder.data, { ...recorder.env, ...OPTIONS });
  const admin = await firstAdmin(program);
  const customers = await customersAtWork(program.visitor, admin);
  const [member, uploader] = [await join(program.visitor, 'Eve'), await join(program.visitor, 'Fred')];
  const keeper = await join(program.visitor, 'Gina');
  await setPin(keeper);
  program.child.kill('SIGKILL');
  await program.ended;
  const work = createWork({ admin, customers, idle, draw });
  const others = createOthers({ admin, member, uploader, keeper, draw });
  return { recorder, admin, uploader, work, others, done: new Set(), draw };
}

const acknowledgedOf = ({ work, others }: RoundParts) =>
  work.sent.filter(isDone).length +
  others.commands.filter(({ answer }) => (answer?.status ?? 500) < 300).length +
  others.items.filter(({ isApplied }) => isApplied === true).length +
  others.files.length +
  others.guests.filter(({ isRegistered }) => isRegistered).length;

/** What was acknowledged by then has been looked at. */
type Seen = { sent: number; files: number };

/** Everything that was acknowledged is there once, now that the program has started again. */
async function checkAll({ visitor }: Listening, parts: Parts, seen: Seen): Promise<void> {
  const { recorder, admin, work, others } = parts;
  expect(await finished(visitor, admin)).toEqual([]);
  const { events } = await checkBooks(recorder.data, work);
  checkCommands(others, events);
  const done = work.sent.filter(isDone);
  await checkRepeated(recorder.data, work, visitor, done.slice(seen.sent).slice(-REPEATED));
  await checkSame(others, events, visitor, REPEATED);
  await checkFiles(others, visitor, parts.uploader, seen.files);
  await others.checkSessions(visitor);
  seen.sent = done.length;
  seen.files = others.files.length;
}

/** What nobody knows of is sent once more: after this, everything was answered. */
async function settle({ visitor }: Listening, { work, others }: RoundParts): Promise<void> {
  for (const command of work.sent.filter(({ answer }) => answer === undefined))
    expect(await work.send(visitor, command)).toBe(true);
  for (const command of others.commands.filter(({ answer }) => answer === undefined))
    expect(await others.send(visitor, command)).toBe(true);
}

/** Ends a program as an operator does. */
async function stop({ child, ended }: Listening): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
}

/** A backup that was cut off is none: it is whole, or it is refused. */
async function checkBackups({ root }: Recorder): Promise<void> {
  for (const name of readdirSync(root).filter((one) => one.startsWith('backup-'))) {
    const backup = pathJoin(root, name);
    const target = pathJoin(newFolder(), 'restored');
    const { code } = await lode(target, 'restore', backup);
    expect(code).toBe(existsSync(pathJoin(backup, MANIFEST)) ? 0 : 1);
    if (code === 0) expect(await tell(target, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
  }
}

const what = 'the loss of power, with what no fsync has covered undone,';
describeWhere(
  mustRun(canRecord()) && !notOn(['eventstore', 'mongodb', 'redis', 's3'], what),
  what,
  'a C compiler and a data folder',
  () => {
    test.each(FOLDERS)(
      'loses, doubles and halves nothing that was acknowledged (seed %s)',
      async (seed) => {
        const draw = drawnFrom(seed);
        const recorder = createRecorder(newFolder());
        const parts = await prepared(recorder, draw);
        const seen = { sent: 0, files: 0 };
        const cuts: Turn[] = [];
        const check = (program: Listening) => checkAll(program, parts, seen);
        const isEnough = () => cuts.length >= LOSSES_OF_FOLDER && turns.every((turn) => cuts.includes(turn));
        for (let n = 0; !isEnough(); n += 1) {
          const before = acknowledgedOf(parts);
          const turn: Turn = ORDER[n % ORDER.length] ?? 'work';
          const loss = {
            ...(await playRound(turn, parts, check, children)),
            acknowledged: acknowledgedOf(parts) - before,
          };
          losses.push(loss);
          cuts.push(loss.turn);
          if (REPORT !== undefined) appendFileSync(REPORT, `${JSON.stringify({ seed, ...loss })}\n`);
        }

        const program = await startProgram(recorder.data, OPTIONS);
        children.push(program.child);
        await settle(program, parts);
        await checkContract(parts, program.visitor);
        await check(program);
        await checkGuests(parts.others, program.visitor);
        await checkInvitations(parts.others, program.visitor);
        await checkFiles(parts.others, program.visitor, parts.uploader, 0);
        await stop(program);
        expect(await tell(recorder.data, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
        await checkBackups(recorder);
        const file = pathJoin(recorder.data, '..', 'export.ndjson');
        expect((await lode(recorder.data, 'export', file)).code).toBe(0);
        const { status, stderr } = spawnSync('python3', [VERIFIER, file], { encoding: 'utf8' });
        expect([status, stderr]).toEqual([0, '']);
      },
      TEST_MS,
    );

    test.each([
      ['is lost where fsync does nothing', { RECORD_SYNC: 'none' }, false],
      ['is there where fsync does what it says', {}, true],
    ])('what was acknowledged %s', async (_, env, isThere) => {
      const recorder = createRecorder(newFolder());
      const first = await startProgram(recorder.data, recorder.env);
      const admin = await firstAdmin(first);
      const ann = await join(first.visitor, 'Ann');
      await stop(first);
      losePower(recorder, () => 0);
      const second = await startProgram(recorder.data, { ...recorder.env, ...env });
      const ada = await signIn(second.visitor, admin);
      for (let n = 0; n < CREDITS; n += 1) await credit(ada, ann, { BTC: '1.00' });
      second.child.kill('SIGKILL');
      await second.ended;
      losePower(recorder, () => 0);
      const log = await (await inspect(recorder.data)).openLog();
      const events = await log.readAll(logStart, EVENTS_MAX);
      await log.close();
      expect(events.filter(({ type }) => type === 'WalletCredited')).toHaveLength(isThere ? CREDITS : 0);
    });
  },
);
