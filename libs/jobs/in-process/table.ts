import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { hasTable, orUnavailable, statementCache } from '#sqlite';
import type { JobReport, JobRun, RunByHand } from '../port.js';
import { runId } from '../rules.js';

/**
 * One row a run. That at most one run of a kind is under way is the second index's word, so that it holds whatever two
 * workers do at once.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS job_run (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    slot TEXT NOT NULL,
    cause TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    beat INTEGER NOT NULL DEFAULT 0,
    started_at TEXT,
    ended_at TEXT,
    report TEXT,
    error TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS job_run_by_kind ON job_run (kind, state, number);
  CREATE UNIQUE INDEX IF NOT EXISTS job_run_under_way ON job_run (kind) WHERE state = 'running';
`;

/** A run under way and the last sign that its worker gave. */
export type ActiveRun = {
  readonly id: string;
  readonly owner: string;
  readonly beat: number;
  readonly attempts: number;
};

/** What becomes of a run that its worker leaves. */
export type Outcome =
  | { readonly state: 'done'; readonly report: JobReport }
  | { readonly state: 'failed'; readonly error: string }
  /** To be tried again; an attempt that was only interrupted does not count. */
  | { readonly state: 'waiting'; readonly error: string | null; readonly counts: boolean };

export type RunTable = ReturnType<typeof createRunTable>;

/** The runs in a database: what a worker asks of it, one short transaction each. */
export function createRunTable(database: DatabaseSync) {
  const statements = statementsOn(database);
  return { ...waitingPart(statements), ...runningPart(statements), ...keptPart(statements) };
}

type Statements = ReturnType<typeof statementsOn>;

/** What is done to the table, which is made when it is missing; fails with `unavailable`. */
function statementsOn(database: DatabaseSync) {
  const { prepare: sql } = statementCache(database);
  const guarded = orUnavailable('What is kept of the jobs cannot be read or written.');
  guarded(() => database.exec(SCHEMA));
  return {
    /** How many rows it changed. */
    change: (text: string, ...values: SQLInputValue[]): number =>
      guarded(() => Number(sql(text).run(...values).changes)),
    rows: (text: string, ...values: SQLInputValue[]): readonly Row[] =>
      guarded(() => rowsOf(sql(text).all(...values))),
  };
}

/** Runs that were asked for and have not begun. */
function waitingPart({ change, rows }: Statements) {
  return {
    /** Asks for a run unless it was asked for before. */
    add: (kind: string, slot: string, cause: JobRun['cause']): void => {
      change(
        `INSERT INTO job_run (id, kind, slot, cause, state) VALUES (?, ?, ?, ?, 'waiting') ON CONFLICT DO NOTHING`,
        runId(kind, slot),
        kind,
        slot,
        cause,
      );
    },

    /** Forgets scheduled runs that never began: the one for `slot` does their work. */
    supersede: (kind: string, slot: string): void => {
      change(
        `DELETE FROM job_run WHERE kind = ? AND state = 'waiting' AND cause = 'schedule' AND attempts = 0 AND slot <> ?`,
        kind,
        slot,
      );
    },

    waiting: (kind: string): number =>
      rows(`SELECT id FROM job_run WHERE kind = ? AND state = 'waiting'`, kind).length,
  };
}

/** The run of a kind that is under way: how it begins, lives and ends. */
function runningPart({ change, rows }: Statements) {
  return {
    /** The run under way of a kind. */
    activeRun: (kind: string): ActiveRun | undefined => {
      const [row] = rows(`SELECT * FROM job_run WHERE kind = ? AND state = 'running'`, kind);
      return row && { id: row.id, owner: row.owner ?? '', beat: row.beat, attempts: row.attempts };
    },

    /**
     * Begins the run of a kind that was asked for first; undefined when none waits or one is under way. The sign of life
     * goes on from where it stood, so that whoever watches an owner that died never takes its next life for the last one.
     */
    claim: (kind: string, owner: string, now: string): JobRun | undefined => {
      const [row] = rows(
        `UPDATE job_run SET state = 'running', attempts = attempts + 1, owner = ?1, beat = beat + 1, started_at = ?3
         WHERE number = (SELECT min(number) FROM job_run WHERE kind = ?2 AND state = 'waiting')
           AND NOT EXISTS (SELECT 1 FROM job_run WHERE kind = ?2 AND state = 'running')
         RETURNING *`,
        owner,
        kind,
        now,
      );
      return row && runOf(row);
    },

    /** A sign of life; false when the run is no longer this worker's. */
    beat: (id: string, owner: string): boolean =>
      change(
        `UPDATE job_run SET beat = beat + 1 WHERE id = ? AND owner = ? AND state = 'running'`,
        id,
        owner,
      ) === 1,

    /** Leaves a run; false when it is no longer this worker's, and then nothing is changed. */
    leave: (id: string, owner: string, outcome: Outcome, now: string): boolean => {
      const { state } = outcome;
      return (
        change(
          `UPDATE job_run SET state = ?, report = ?, error = ?, ended_at = ?, attempts = attempts - ?
           WHERE id = ? AND owner = ? AND state = 'running'`,
          state,
          state === 'done' ? JSON.stringify(outcome.report) : null,
          state === 'done' ? null : outcome.error,
          state === 'waiting' ? null : now,
          state === 'waiting' && !outcome.counts ? 1 : 0,
          id,
          owner,
        ) === 1
      );
    },
  };
}

/** Runs in whatever state, for as long as they are kept. */
function keptPart({ change, rows }: Statements) {
  return {
    get: (id: string): JobRun | undefined => rows('SELECT * FROM job_run WHERE id = ?', id).map(runOf)[0],

    newest: (kind: string, limit: number): readonly JobRun[] =>
      rows('SELECT * FROM job_run WHERE kind = ? ORDER BY number DESC LIMIT ?', kind, limit).map(runOf),

    last: (kind: string): JobRun | undefined =>
      rows('SELECT * FROM job_run WHERE kind = ? AND attempts > 0 ORDER BY number DESC LIMIT 1', kind).map(
        runOf,
      )[0],

    /** Keeps a run that was done elsewhere, in place of another one for the same slot. */
    record: ({ kind, slot, startedAt, endedAt, report }: RunByHand): void => {
      change(
        `INSERT OR REPLACE INTO job_run (id, kind, slot, cause, state, attempts, started_at, ended_at, report)
         VALUES (?, ?, ?, 'hand', 'done', 1, ?, ?, ?)`,
        ...[runId(kind, slot), kind, slot, startedAt, endedAt, JSON.stringify(report)],
      );
    },

    /** Forgets the oldest ended runs of a kind beyond `keep`. */
    prune: (kind: string, keep: number): void => {
      change(
        `DELETE FROM job_run WHERE kind = ?1 AND state IN ('done', 'failed') AND number <= (
           SELECT number FROM job_run WHERE kind = ?1 AND state IN ('done', 'failed')
           ORDER BY number DESC LIMIT 1 OFFSET ?2)`,
        kind,
        keep,
      );
    },
  };
}

type Row = {
  readonly id: string;
  readonly kind: string;
  readonly slot: string;
  readonly cause: JobRun['cause'];
  readonly state: JobRun['state'];
  readonly attempts: number;
  readonly owner: string | null;
  readonly beat: number;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly report: string | null;
  readonly error: string | null;
};

/** The table is STRICT and only this file writes it, so that what is read of it has these types. */
function rowsOf(found: readonly unknown[]): readonly Row[] {
  return found as readonly Row[];
}

function runOf(row: Row): JobRun {
  const { id, kind, slot, cause, state, attempts, error } = row;
  return {
    id,
    kind,
    slot,
    cause,
    state,
    attempts,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    report: row.report === null ? null : (JSON.parse(row.report) as JobReport),
    error,
  };
}

/** Keeps a run that somebody did by hand while no worker had the file; in place of another one for the same slot. */
export function recordRun(database: DatabaseSync, run: RunByHand): void {
  createRunTable(database).record(run);
}

/** The run of each kind that began last, for tools that only look; none when there is no table yet. */
export function readLastRuns(database: DatabaseSync): readonly JobRun[] {
  if (!hasTable(database, 'job_run')) return [];
  const rows = database
    .prepare(
      `SELECT * FROM job_run WHERE number IN (SELECT max(number) FROM job_run WHERE attempts > 0 GROUP BY kind)
       ORDER BY kind`,
    )
    .all();
  return rowsOf(rows).map(runOf);
}
