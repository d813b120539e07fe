import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { until } from '#kernel/testing';
import {
  dataFolders,
  firstAdmin,
  join,
  killAll,
  spawnProgram,
  startProgram,
  type Listening,
  type Program,
} from '../testing/index.js';

const TOKEN = 'a token that nobody guesses';
/** As a proxy on this machine asks for somebody elsewhere. */
const FORWARDED = { 'X-Forwarded-For': '203.0.113.7' };

const programs: Program[] = [];
const { newFolder, removeFolders } = dataFolders();
afterEach(() => killAll(programs));
afterAll(removeFolders);

async function start(env: Readonly<Record<string, string>> = {}): Promise<Listening> {
  const program = await startProgram(newFolder(), env);
  programs.push(program);
  const isReady = async () => (await program.visitor.call('healthReady')).status === 200;
  await until(isReady);
  return program;
}

type Headers = Readonly<Record<string, string>>;

/** What somebody sees: the status of the metrics, and what readiness says of the log. */
async function seen({ visitor }: Listening, headers: Headers): Promise<readonly unknown[]> {
  const metrics = await fetch(`${visitor.address}/metrics`, { headers });
  await metrics.text();
  const ready = await visitor.get('healthReady', { headers });
  return [metrics.status, ready.status, ready.checks['log']];
}

const inDetail = [200, 'ok', expect.stringMatching(/^at \d+$/)];

describe('metrics, and health in detail', () => {
  test('are for who asks from this machine, and not for whom a proxy on it asks', async () => {
    const program = await start();
    expect(await seen(program, {})).toEqual(inDetail);
    for (const headers of [FORWARDED, { Forwarded: 'for=203.0.113.7' }, { 'X-Real-IP': '203.0.113.7' }])
      expect(await seen(program, headers)).toEqual([401, 'ok', 'ok']);
    // Whoever may without a token may with one that is none.
    expect(await seen(program, { Authorization: 'Bearer none' })).toEqual(inDetail);
  });

  test('are not for this machine where a proxy on it is named, which may say nothing', async () => {
    const program = await start({ LODE_PROXIES: '127.0.0.1' });
    expect(await seen(program, {})).toEqual([401, 'ok', 'ok']);
  });

  test('are for an admin from anywhere, and for no customer', async () => {
    const program = await start();
    const admin = await firstAdmin(program);
    const ann = await join(program.visitor, 'Ann');
    const as = (token: string | undefined) => ({ ...FORWARDED, Authorization: `Bearer ${token ?? ''}` });
    expect(await seen(program, as(admin.api.token))).toEqual(inDetail);
    expect(await seen(program, as(ann.api.token))).toEqual([403, 'ok', 'ok']);
  });

  test('are for who has the token of the settings, from anywhere', async () => {
    const file = pathJoin(newFolder(), 'token');
    writeFileSync(file, `${TOKEN}\n`);
    for (const env of [{ LODE_METRICS_TOKEN: TOKEN }, { LODE_METRICS_TOKEN_FILE: file }]) {
      const program = await start(env);
      expect(await seen(program, { ...FORWARDED, Authorization: `Bearer ${TOKEN}` })).toEqual(inDetail);
      expect(await seen(program, { ...FORWARDED, Authorization: `Bearer ${TOKEN}.` })).toEqual([
        401,
        'ok',
        'ok',
      ]);
    }
  });

  test('have no token that is short', async () => {
    const program = spawnProgram({ LODE_DATA: newFolder(), LODE_METRICS_TOKEN: 'short' });
    programs.push(program);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.printed.err).toBe('LODE_METRICS_TOKEN must have at least 16 characters.\n');
  });
});
