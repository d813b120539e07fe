import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { jobLimits, type JobKind, type JobProblem, type Jobs } from '#jobs';
import { systemTimers } from '#kernel';
import { describeJobs } from '#jobs/contract';
import { createInProcessJobs } from '#jobs/in-process';
import { createRunTable } from './table.js';

describeJobs('in-process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-jobs-'));
  const databases = new Map<Jobs, DatabaseSync>();
  const close = (database: DatabaseSync) => {
    if (database.isOpen) database.close();
  };
  return {
    open: async (options) => {
      const database = new DatabaseSync(join(folder, 'processes.sqlite'), { timeout: 2_000 });
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      const jobs = createInProcessJobs({ ...options, database, onProblem: () => undefined });
      databases.set(jobs, database);
      return jobs;
    },
    kill: async (jobs) => close(databases.get(jobs)!),
    lose: async () => {
      for (const database of databases.values()) close(database);
      for (const file of readdirSync(folder)) rmSync(join(folder, file));
    },
    cleanUp: async () => {
      for (const database of databases.values()) close(database);
      rmSync(folder, { recursive: true });
    },
  };
});

describe('in-process jobs', () => {
  test('report what an operator should hear of, and throw it nowhere', async () => {
    const database = new DatabaseSync(':memory:');
    const problems: JobProblem[] = [];
    const jobs = createInProcessJobs({
      database,
      kinds: [{ name: 'count', everyMs: () => 1_000, attempts: 1, run: async () => ({}) }],
      onProblem: (problem) => problems.push(problem),
    });
    database.close();
    await jobs.reconcile();
    expect(problems).toEqual([
      { kind: 'count', message: 'What is kept of the jobs cannot be read or written.' },
    ]);
    await expect(jobs.runNow('count')).rejects.toMatchObject({ code: 'unavailable' });
    await jobs.stop();
  });

  test('take up at once what an earlier life of theirs was doing when it died', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lode-jobs-'));
    const begun = Promise.withResolvers<void>();
    const clock = () => Date.parse('2026-01-01T00:00:00.000Z');
    const life = (run: JobKind['run']) => {
      const database = new DatabaseSync(join(folder, 'processes.sqlite'));
      const kinds = [{ name: 'count', everyMs: () => 1_000, attempts: 2, run }];
      const jobs = createInProcessJobs({ database, kinds, clock, owner: 'me', onProblem: () => {} });
      return { database, jobs };
    };
    const first = life(async () => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    const { id } = await first.jobs.runNow('count');
    await begun.promise;
    first.database.close();

    const second = life(async ({ attempt }) => ({ attempt }));
    await second.jobs.runNow('count');
    const last = async () => (await second.jobs.runs('count', 1))[0];
    while ((await last())?.state !== 'done') await setImmediate();
    expect(await last()).toMatchObject({ id, attempts: 2, report: { attempt: 2 } });
    await second.jobs.stop();
    second.database.close();
    rmSync(folder, { recursive: true });
  });

  test('rest before they take up a run that they died of more than once', async () => {
    const database = new DatabaseSync(':memory:');
    const waits: { readonly ms: number; readonly done: () => void }[] = [];
    const timers = {
      ...systemTimers,
      after: (ms: number, done: () => void) => {
        waits.push({ ms, done });
        return () => undefined;
      },
    };
    const clock = () => Date.parse('2026-01-01T00:00:00.000Z');
    const life = (run: JobKind['run']) => {
      const kinds = [{ name: 'count', everyMs: () => 1_000, attempts: 5, run }];
      return createInProcessJobs({ database, kinds, clock, timers, owner: 'me', onProblem: () => {} });
    };
    const never = () => new Promise<never>(() => undefined);
    await life(never).reconcile();
    await life(never).reconcile();
    const third = life(async ({ attempt }) => ({ attempt }));
    waits.length = 0;
    await third.reconcile();
    const [last] = await third.runs('count', 1);
    expect(last).toMatchObject({ state: 'waiting', attempts: 2 });
    expect(waits.map(({ ms }) => ms)).toEqual([2 * jobLimits.retryFirstMs]);
    waits[0]!.done();
    while ((await third.runs('count', 1))[0]?.state !== 'done') await setImmediate();
    expect((await third.runs('count', 1))[0]).toMatchObject({ attempts: 3 });
    await third.stop();
    database.close();
  });

  test('never give a sign of life twice for one run, whichever life of theirs gives it', () => {
    const database = new DatabaseSync(':memory:');
    const table = createRunTable(database);
    const now = '2026-01-01T00:00:00.000Z';
    table.add('count', now, 'hand');
    const run = table.claim('count', 'me', now)!;
    table.beat(run.id, 'me');
    const seen = table.activeRun('count')!.beat;
    table.leave(run.id, 'me', { state: 'waiting', error: null, counts: true }, now);
    table.claim('count', 'me', now);
    expect(table.activeRun('count')!.beat).toBeGreaterThan(seen);
    database.close();
  });
});
