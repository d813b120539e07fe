import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { accountStream, MAX_MINOR, type AccountCommand } from '#ledger';
import {
  beginsCycle,
  dataFolder,
  firstAdmin,
  inspect,
  lode,
  notOn,
  parkAllButOne,
  startProgram,
  tell,
  testedOn,
  writeAccount,
} from '../testing/index.js';

const DAY = 24 * 60 * 60 * 1_000;
/** Ten and a half days ago. */
const START = Date.now() - 10.5 * DAY;

let folder: ReturnType<typeof dataFolder>;
beforeEach(() => {
  folder = dataFolder();
});
afterEach(() => folder.remove());

/** What the program would have written some days after the start. */
const write = (days: number, userId: string, ...commands: readonly AccountCommand[]) =>
  writeAccount(folder.path, START + days * DAY, userId, ...commands);

/** How the log ends: a run that changes nothing leaves it as it is. */
async function head(): Promise<string> {
  const log = await (await inspect(folder.path)).openLog();
  const position = await log.head();
  await log.close();
  return position;
}

const after = (days: number) => new Date(START + days * DAY).toISOString();

/** Tests that write into the file of the read models. */
const testInFolder = notOn(['mongodb'], 'a tick whose read model stops') ? test.skip : test;
/** Programs and commands share engines where everything that could be lost is on servers. */
const isShared = (['eventstore', 'mongodb', 's3'] as const).every((name) => testedOn.includes(name));

describe('tick', () => {
  test('pays what was due at a time, then what is due now, and nothing twice', async () => {
    await write(0, '1', ...beginsCycle('1', 10_000n));
    await write(0, '3', ...beginsCycle('3', 10_000n), { type: 'Suspend' });
    const first = await tell(folder.path, 'tick', '--at', after(3.5));
    expect(first).toMatchObject({
      code: 0,
      json: { command: 'tick', ok: true, at: after(3.5), due: 1, accrued: 1, days: 3, failed: 0 },
    });
    expect(first.json['amounts']).toEqual({ USD: '30.00', USDT: '30.000000' });
    await write(8, '2', ...beginsCycle('2', 5_000n));
    // Four days of 10 % of 130 dollars, and two of 10 % of 50.
    expect((await tell(folder.path, 'tick')).json).toMatchObject({
      accrued: 2,
      days: 6,
      amounts: { USD: '62.00', USDT: '62.000000' },
    });
    const end = await head();
    expect((await tell(folder.path, 'tick')).json).toMatchObject({ ok: true, due: 0, accrued: 0 });
    const { code, out, err } = await lode(folder.path, 'tick');
    expect([code, err, out]).toEqual([
      0,
      '',
      expect.stringMatching(/^The bonus tick as of .*Nothing was due\.\n$/s),
    ]);
    expect(await head()).toBe(end);
    expect((await tell(folder.path, 'verify')).json['wrong']).toEqual([]);
  });

  test('is listed among the runs of the program', async () => {
    await write(0, '1', ...beginsCycle('1', 10_000n));
    await tell(folder.path, 'tick', '--at', after(1.5));
    const program = await startProgram(folder.path);
    try {
      const admin = await firstAdmin(program);
      const { items } = await admin.api.get('jobs');
      const runs = items.flatMap(({ runs }) => runs).filter(({ cause }) => cause === 'hand');
      expect(runs).toMatchObject([{ slot: after(1.5), state: 'done', report: { accrued: 1, days: 1 } }]);
    } finally {
      program.child.kill('SIGKILL');
      await program.ended;
    }
  });

  testInFolder('is listed among them also when a read model stops at what it paid', async () => {
    await write(0, '1', ...beginsCycle('1', 10_000n));
    await tell(folder.path, 'tick', '--at', after(1.5));
    await parkAllButOne(folder.path, accountStream('1'));
    expect(await tell(folder.path, 'tick', '--at', after(2.5))).toMatchObject({
      code: 1,
      json: {
        code: 'unavailable',
        message: expect.stringMatching(/^The bonus was paid, .+ The read model accounts has stopped, /),
      },
    });
    const { remembered, runsOnServer } = await inspect(folder.path);
    expect((await runsOnServer?.()) ?? (await remembered())?.lastRuns).toMatchObject([
      { slot: after(2.5), state: 'done', report: { accrued: 1, days: 1 } },
    ]);
  });

  test('pays everybody else when one fails, and says whose it was', async () => {
    await write(0, '1', ...beginsCycle('1', 10_000n));
    await write(0, '2', ...beginsCycle('2', MAX_MINOR / 10n ** 4n));
    const { code, json } = await tell(folder.path, 'tick');
    expect({ code, json }).toMatchObject({
      code: 1,
      json: { ok: false, accrued: 1, failed: 1, failures: [{ userId: '2', code: 'amount_invalid' }] },
    });
    expect((await lode(folder.path, 'tick')).out).toMatch(/\nWRONG: account 2: .+ \[amount_invalid\]\n$/);
  });

  test.each([
    ['no time', () => 'yesterday', /^--at takes a time such as 2026-03-01T10:00:00Z, not "yesterday"\./],
    ['a time of no zone', () => '2026-03-01T10:00:00', /^--at takes a time such as /],
    ['a time that has not come', () => '9999-01-01T00:00:00Z', /has not come yet/],
    [
      'a time before the end of the log',
      () => after(-1),
      /^The log goes on to .+: --at takes no time before/,
    ],
  ])('refuses %s', async (_, at, sentence) => {
    await write(0, '1', ...beginsCycle('1', 10_000n));
    const end = await head();
    const { code, out, err } = await lode(folder.path, 'tick', '--at', at());
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(sentence)]);
    expect(await head()).toBe(end);
  });

  test('refuses while Lode has the folder to itself, and a folder without a log', async () => {
    const nowhere = await lode(join(folder.path, 'nowhere'), 'tick');
    expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('There is no log in')]);
    const program = await startProgram(folder.path);
    try {
      const { code, err } = await lode(folder.path, 'tick');
      const refusal = expect.stringMatching(/^Lode is running on .+: stop it first\. .*bonus-tick/);
      expect([code, err]).toEqual(isShared ? [0, ''] : [1, refusal]);
    } finally {
      program.child.kill('SIGKILL');
      await program.ended;
    }
  });
});
