import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { RouteName } from '#contracts';
import { until } from '#kernel/testing';
import type { Client } from '../client.js';
import { spawnLodeWith } from '../command.js';
import { apiOf, type Person } from '../people.js';
import { spawnProgram, startProgram, type Listening } from '../start.js';
import type { Work } from '../work.js';
import { noted } from './contract.js';
import type { Others } from './others.js';
import type { Recorder } from './program.js';
import { losePower, type Lost } from './records.js';

/** What the power goes in the middle of. */
export const turns = ['work', 'start', 'checkpoint', 'rebuild', 'backup'] as const;
export type Turn = (typeof turns)[number];

/** The power goes in work after a drawn number of answered commands, up to this. */
const ANSWERS_MAX = 60;
/** Where no checkpoint came in so many answered commands, the power goes in work. */
const ANSWERS_WITHOUT_CHECKPOINT = 300;
/** The power goes in a start at one of so many writes to the databases' logs; where it has fewer, after it. */
const START_WRITES = 60;
/** What a backup copies of a data folder. */
const COPIED = ['events.sqlite', 'identity.sqlite', 'files'] as const;
/** Of these writes of a checkpoint one is the last before the power goes. */
const CHECKPOINT_WRITES = 20;
/** Read models that take a while to build. */
const REBUILT = ['events', 'transactions', 'accounts'] as const;
const DATABASES = ['events.sqlite', 'read-models.sqlite', 'identity.sqlite'] as const;
/** Options of the program in which all that people do can be done, and nobody is kept from it. */
export const OPTIONS = { LODE_IDENTITY_TOOLKIT: 'true' } as const;

/** One loss: what it came in the middle of, and what it took. */
export type Loss = Lost & { readonly turn: Turn };

/** Those who write, and the disk that they write on. */
export type RoundParts = {
  readonly recorder: Recorder;
  readonly admin: Person;
  readonly work: Work;
  readonly others: Others;
  /** The routes that did what they were asked while the power was there. */
  readonly done: Set<RouteName>;
  readonly draw: () => number;
};

/** Seventeen writers at once until it is over: two for each of four customers, one who lets people in, eight others. */
async function writeUntil(
  isOver: () => boolean,
  visitor: Client,
  { work, others }: RoundParts,
): Promise<void> {
  const steps = Object.values(others.steps);
  await Promise.all([
    work.run(visitor, isOver),
    ...steps.map(async (step) => {
      while (!isOver()) {
        await step(visitor).catch(() => undefined);
        await setImmediate();
      }
    }),
  ]);
}

/** The size of a file, or of all files below a folder; 0 where there is none. */
function bytesOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return found?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(pathJoin(path, name)), 0);
}

/** Resolves when a read model of the program is being built; false when it ended before. */
async function isRebuilding(visitor: Client, { admin, draw }: RoundParts, isOver: () => boolean) {
  const api = apiOf(visitor, admin);
  const model = REBUILT[Math.floor(draw() * REBUILT.length)] ?? REBUILT[0];
  const asked = await api.call('rebuildModel', { params: { model } }).catch(() => undefined);
  return asked?.status === 200 && !isOver();
}

/** Waits until so many more commands were answered; less when it is over. */
async function untilAnswered(count: number, { work }: RoundParts, isOver: () => boolean): Promise<void> {
  const answered = () => work.sent.filter(({ answer }) => answer !== undefined).length;
  const before = answered();
  await until(() => isOver() || answered() - before >= count);
}

/** Kills a program and the backup that is being made of its folder once a drawn share of it was written; false when it was whole before. */
async function cutBackup({ recorder, draw }: RoundParts, { child }: Listening): Promise<boolean> {
  const backup = pathJoin(recorder.root, `backup-${draw()}`);
  const whole = COPIED.reduce((sum, name) => sum + bytesOf(pathJoin(recorder.data, name)), 0);
  const enough = 1 + draw() * whole;
  const cli = await spawnLodeWith({ env: recorder.env }, recorder.data, 'backup', backup);
  const ended = once(cli, 'exit');
  await until(() => cli.exitCode !== null || bytesOf(backup) >= enough);
  const isCut = cli.exitCode === null;
  for (const one of [child, cli]) one.kill('SIGKILL');
  await ended;
  return isCut;
}

/** Has the power go in the middle of something, while everybody is at work; gives what it was. */
async function cut(turn: Turn, program: Listening, parts: RoundParts): Promise<Turn> {
  const { recorder, draw } = parts;
  const { child, visitor } = program;
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const exited = once(child, 'exit');
  await untilAnswered(1 + Math.floor(draw() * ANSWERS_MAX), parts, isOver);
  if (turn === 'checkpoint') {
    // Of whichever database in the middle of work, or of one of them when the program ends.
    const atEnd = draw() < 0.5 ? DATABASES[Math.floor(draw() * DATABASES.length)] : undefined;
    recorder.killAt(atEnd ?? '.sqlite', 1 + Math.floor(draw() * CHECKPOINT_WRITES));
    if (atEnd !== undefined) child.kill('SIGTERM');
    if (atEnd === undefined) await untilAnswered(ANSWERS_WITHOUT_CHECKPOINT, parts, isOver);
    else await exited;
    if (child.signalCode === 'SIGKILL') return turn;
  }
  if (turn === 'rebuild' && (await isRebuilding(visitor, parts, isOver))) {
    child.kill('SIGKILL');
    return turn;
  }
  if (turn === 'backup') return (await cutBackup(parts, program)) ? turn : 'work';
  child.kill('SIGKILL');
  return 'work';
}

/** Cuts off a start; where it was over before, the power goes after it. */
async function cutStart({ recorder, draw }: RoundParts): Promise<Turn> {
  recorder.killAt('-wal', 1 + Math.floor(draw() * START_WRITES));
  const program = spawnProgram({ LODE_DATA: recorder.data, ...recorder.env, ...OPTIONS });
  const isReady = () => program.printed.out.includes('Lode is ready');
  await until(() => isReady() || program.child.exitCode !== null || program.child.signalCode !== null);
  const isCut = !isReady();
  program.child.kill('SIGKILL');
  const { code } = await program.ended;
  if (code !== null) throw new Error(`the program ended by itself:\n${program.printed.err}`);
  return isCut ? 'start' : 'work';
}

/** One loss. `check` looks at the program once it is there, before anybody writes. */
export async function playRound(
  turn: Turn,
  parts: RoundParts,
  check: (program: Listening) => Promise<void>,
  children: ChildProcess[],
): Promise<Loss> {
  const { recorder, draw } = parts;
  if (turn === 'start') return { turn: await cutStart(parts), ...losePower(recorder, draw) };
  const program = await startProgram(recorder.data, { ...recorder.env, ...OPTIONS });
  const { child, ended } = program;
  const visitor = noted(program.visitor, parts.done);
  children.push(child);
  await check(program);
  const writing = writeUntil(() => child.exitCode !== null || child.signalCode !== null, visitor, parts);
  const cutIn = await cut(turn, { ...program, visitor }, parts);
  await Promise.all([ended, writing]);
  return { turn: cutIn, ...losePower(recorder, draw) };
}
