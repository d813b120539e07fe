import type { DatabaseSync } from 'node:sqlite';
import { furtherHead, type IdentityStanding, type IdentityStore, type StoresHead } from '#identity';
import { hasTable } from '#sqlite';
import { hasTableNamed, isThere, openForReading, type Database } from './database.js';
import { readHeadFile, writeHeadFile } from './head-file.js';
import { integer, text } from './rows.js';

type Part = Pick<IdentityStore, 'standing' | 'head' | 'keepHead' | 'lostPersonKeys'>;

/** How the store stands, and the head beside it. */
export function standingPart(db: Database, file: string): Part {
  const { sql, read, touch } = db;
  let last: StoresHead | undefined;
  let keeping = Promise.resolve();
  const keep = async (head: StoresHead, isAnew: boolean) => {
    last ??= headAt(file);
    const next = isAnew ? head : furtherHead(head, last);
    if (next === undefined) return;
    await writeHeadFile(file, next);
    last = next;
    if (read(() => standingIn(db)).hasHead) return;
    await touch(() => sql('UPDATE change_count SET has_head = 1').run());
    // Into the file itself: the mark is not to be lost with the write-ahead log.
    read(() => sql('PRAGMA wal_checkpoint(PASSIVE)').get());
  };
  return {
    standing: async () => read(() => standingIn(db)),
    head: async () => readHeadFile(file),
    // One after the other: they are written to the same file.
    keepHead: (head, isAnew = false) => {
      const kept = keeping.then(() => keep(head, isAnew));
      keeping = kept.catch(() => undefined);
      return kept;
    },
    lostPersonKeys: async () => read(() => lostIn(db)),
  };
}

function headAt(file: string): StoresHead | undefined {
  const kept = readHeadFile(file);
  return kept.kind === 'head' ? kept.head : undefined;
}

/** How an identity file stands; undefined when there is none. Nothing is made. */
export function identityStanding({ file }: { readonly file: string }): IdentityStanding | undefined {
  return lookingAt(file, standingIn);
}

/** How many keys of an identity file are lost for good, and were not destroyed by an erasure. */
export function lostPersonKeys({ file }: { readonly file: string }): number {
  return lookingAt(file, lostIn) ?? 0;
}

function lookingAt<T>(file: string, look: (db: Pick<Database, 'sql'>) => T): T | undefined {
  if (!isThere(file)) return undefined;
  const db = openForReading(file);
  try {
    return db.read(() => look(db));
  } finally {
    db.close();
  }
}

/** In a file of an earlier schema nothing is counted yet. */
function standingIn({ sql }: Pick<Database, 'sql'>): IdentityStanding {
  const owner = hasTableNamed({ sql }, 'platform')
    ? sql('SELECT platform_id FROM platform').get()
    : undefined;
  const counted = hasTableNamed({ sql }, 'change_count')
    ? sql('SELECT count, has_head FROM change_count').get()
    : undefined;
  return {
    ...(owner === undefined ? {} : { platformId: text(owner, 'platform_id') }),
    changes: counted === undefined ? 0 : integer(counted, 'count'),
    hasHead: counted !== undefined && integer(counted, 'has_head') === 1,
  };
}

function lostIn({ sql }: Pick<Database, 'sql'>): number {
  if (!hasTableNamed({ sql }, 'lost_key')) return 0;
  const row = sql('SELECT count(*) AS lost FROM lost_key').get();
  return row === undefined ? 0 : integer(row, 'lost');
}

/** Takes the mark out of a copy of an identity file, which has no head beside it yet. */
export function forgetHead(copy: DatabaseSync): void {
  if (hasTable(copy, 'change_count')) copy.exec('UPDATE change_count SET has_head = 0');
}
