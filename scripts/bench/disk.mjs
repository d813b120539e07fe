import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** How often a second this disk takes 4 KiB for good. */
export function fsyncRate(folder, seconds) {
  const file = openSync(join(folder, 'fsync'), 'w');
  const block = Buffer.alloc(4_096, 1);
  return rate(
    seconds,
    () => {
      writeSync(file, block, 0, block.length, 0);
      fdatasyncSync(file);
      return 1;
    },
    () => closeSync(file),
  );
}

/** Events a second into one SQLite table, `batch` a commit, with nothing around it. */
export function sqliteRate(folder, seconds, batch) {
  const db = new DatabaseSync(join(folder, `raw-${batch}.sqlite`));
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE e (position INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT',
  );
  const insert = db.prepare('INSERT INTO e (body) VALUES (?)');
  const body = JSON.stringify({ text: 'x'.repeat(600) });
  return rate(
    seconds,
    () => {
      db.exec('BEGIN IMMEDIATE');
      for (let n = 0; n < batch; n++) insert.run(body);
      db.exec('COMMIT');
      return batch;
    },
    () => db.close(),
  );
}

function rate(seconds, once, end) {
  const start = performance.now();
  let done = 0;
  while (performance.now() - start < seconds * 1_000) done += once();
  const elapsed = (performance.now() - start) / 1_000;
  end();
  return done / elapsed;
}
