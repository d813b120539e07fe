import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { lackingRedis, redisServer, startRedis, type TestRedis } from '#jobs/bullmq/testing';
import { describeWhere, until } from '#kernel/testing';
import {
  beginsCycle,
  dataFolder,
  firstAdmin,
  join,
  killAll,
  lodeWith,
  problemIn,
  spawnProgram,
  startProgram,
  writeAccount,
  type Listening,
  type Person,
  type Program,
} from '../testing/index.js';

const PASSWORD = 'canary-of-a-secret';
const DAY = 24 * 60 * 60 * 1_000;
const START = Date.now() - 3.5 * DAY;
const PEOPLE = ['1', '2', '3'];

let folder: ReturnType<typeof dataFolder>;
let redis: TestRedis;
let programs: Program[];

/** Customers whose bonus cycle began three and a half days ago with 100 dollars. */
async function beginCycles(): Promise<void> {
  for (const userId of PEOPLE)
    await writeAccount(folder.path, START, userId, ...beginsCycle(userId, 10_000n));
}

describeWhere(redisServer !== undefined, 'the program with its jobs in Redis', lackingRedis, () => {
  const address = () => `redis://:${PASSWORD}@127.0.0.1:${redis.port}/0`;
  const env = () => ({ REDIS_URL: address() });
  const command = (...args: readonly string[]) => lodeWith({ env: env() }, folder.path, ...args);
  const told = async (...args: readonly string[]) => {
    const { code, out } = await command(...args, '--json');
    return { code, json: JSON.parse(out) as Readonly<Record<string, unknown>> };
  };
  const start = async (): Promise<Listening> => {
    const program = await startProgram(folder.path, env());
    programs.push(program);
    return program;
  };
  const stop = async ({ child, ended }: Program) => {
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, signal: null });
  };
  const runs = async ({ api }: Person) => (await api.get('jobs')).items.flatMap((job) => job.runs);

  beforeEach(async () => {
    folder = dataFolder();
    programs = [];
    redis = await startRedis(['--requirepass', PASSWORD]);
    await beginCycles();
  });
  afterEach(async () => {
    await killAll(programs);
    await redis.stop();
    await folder.remove();
  });

  test('pays each day once, whatever becomes of Redis', async () => {
    const program = await start();
    const admin = await firstAdmin(program);
    for (let round = 0; round < 3; round++) {
      const asked = admin.api.call('runBonusTick', { body: { reason: 'a test' } });
      await redis.kill();
      await asked;
      await redis.start();
      await until(
        async () => (await admin.api.call('runBonusTick', { body: { reason: 'a test' } })).status === 200,
      );
    }
    await until(async () => (await runs(admin)).some(({ state }) => state === 'done'));
    await stop(program);
    expect((await told('tick')).json).toMatchObject({ accrued: 0 });
    const { code, json } = await told('verify');
    expect({ code, wrong: json['wrong'] }).toEqual({ code: 0, wrong: [] });
    expect(json['log']).toMatchObject({ types: { BonusAccrued: PEOPLE.length } });
  });

  test('says so while Redis is away, does everything else, and goes on by itself', async () => {
    const program = await start();
    const admin = await firstAdmin(program);
    await redis.kill();
    for (const [route, ask] of [
      ['jobs', {}],
      ['runBonusTick', { body: { reason: 'a test' } }],
    ] as const) {
      const answer = await admin.api.call(route, ask);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
      expect(problemIn(answer).code).toBe('unavailable');
      expect(answer.text).not.toContain(PASSWORD);
    }
    const ann = await join(program.visitor, 'Ann');
    expect(await ann.api.get('account', { params: { userId: ann.userId } })).toMatchObject({
      userId: ann.userId,
    });
    await redis.start();
    await until(async () => (await admin.api.call('jobs')).status === 200);
    await stop(program);
    expect(program.printed.out + program.printed.err).not.toContain(PASSWORD);
  });

  test('lists what the command line did, and the command line what the program did', async () => {
    const at = new Date(START + 1.5 * DAY).toISOString();
    expect((await told('tick', '--at', at)).json).toMatchObject({ ok: true, accrued: PEOPLE.length });
    const program = await start();
    const admin = await firstAdmin(program);
    await until(async () =>
      (await runs(admin)).some(({ cause, state }) => cause === 'schedule' && state === 'done'),
    );
    expect(await runs(admin)).toContainEqual(
      expect.objectContaining({ slot: at, cause: 'hand', state: 'done', attempts: 1 }),
    );
    await stop(program);
    const { json } = await told('doctor');
    expect(json['processes']).toMatchObject({
      jobs: expect.arrayContaining([expect.objectContaining({ kind: 'bonus-tick', state: 'done' })]),
    });
    expect(JSON.stringify(json)).not.toContain(PASSWORD);
  });

  test('has commands that name a Redis that is away, and pay without it', async () => {
    await redis.kill();
    const tick = await told('tick');
    expect(tick).toMatchObject({
      code: 1,
      json: {
        code: 'unavailable',
        message: expect.stringMatching(
          /^The bonus was paid, but its run is not listed: Redis at .+ cannot be reached/,
        ),
      },
    });
    const doctor = await told('doctor');
    expect(doctor.json['findings']).toContainEqual(
      expect.objectContaining({
        what: expect.stringContaining(`Redis at redis://127.0.0.1:${redis.port}/0 cannot be reached`),
      }),
    );
    expect(JSON.stringify([tick.json, doctor.json])).not.toContain(PASSWORD);
    await redis.start();
    expect((await told('tick')).json).toMatchObject({ ok: true, accrued: 0 });
  });

  test('does not start on one that it can not use, and says why', async () => {
    const file = pathOf(folder.path, 'address');
    writeFileSync(file, `redis://:not-${PASSWORD}@127.0.0.1:${redis.port}/0\n`);
    const program = spawnProgram({ LODE_DATA: folder.path, REDIS_URL_FILE: file });
    programs.push(program);
    expect(await program.ended).toMatchObject({ code: 1 });
    expect(program.printed.err).toContain(
      `Redis at redis://127.0.0.1:${redis.port}/0 takes neither this name nor this password`,
    );
    expect(program.printed.out + program.printed.err).not.toContain(PASSWORD);
  });
});
