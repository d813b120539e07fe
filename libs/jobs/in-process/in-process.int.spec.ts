import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Jobs } from '#jobs';
import { describeJobs } from '#jobs/contract';
import { createInProcessJobs, type JobProblem } from '#jobs/in-process';

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
});
