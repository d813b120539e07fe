import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#kernel';
import { leaseLimits, replaced, type CheckedLeases, type Lease } from '#leases';
import { orUnavailable } from '#sqlite';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS lease (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT;
`;

/** Leases in a database of the caller's, for one holder. Their table is made when it is missing. */
export function createSqliteLeases(database: DatabaseSync, holder: string, clock: Clock): CheckedLeases {
  const guarded = orUnavailable('The leases cannot be read or written.');
  guarded(() => database.exec(SCHEMA));
  // One statement: two that ask at once never both get it. A lease that would run for longer than any does was taken
  // before the clock was set back.
  const acquiring = database.prepare(
    `INSERT INTO lease (name, holder, epoch, until) VALUES (?1, ?2, 1, ?3)
     ON CONFLICT (name) DO UPDATE SET holder = ?2, epoch = epoch + 1, until = ?3
       WHERE holder = ?2 OR until <= ?4 OR until > ?3
     RETURNING epoch`,
  );
  const renewing = database.prepare('UPDATE lease SET until = ? WHERE name = ? AND epoch = ? AND until > 0');
  const releasing = database.prepare('UPDATE lease SET until = 0 WHERE name = ? AND epoch = ?');
  const running = database.prepare('SELECT 1 FROM lease WHERE name = ?1 AND until > ?2 AND until <= ?3');
  const newest = database.prepare('SELECT epoch FROM lease WHERE name = ?');

  const leaseOf = (name: string, epoch: number): Lease => ({
    name,
    epoch,
    renew: async () => guarded(() => renewing.run(clock() + leaseLimits.ttlMs, name, epoch).changes === 1),
    release: async () => {
      guarded(() => releasing.run(name, epoch));
    },
  });

  return {
    acquire: async (name) =>
      guarded(() => {
        const now = clock();
        const row = acquiring.get(name, holder, now + leaseLimits.ttlMs, now);
        return row === undefined ? undefined : leaseOf(name, Number(row['epoch']));
      }),
    isHeld: async (name) =>
      guarded(() => {
        const now = clock();
        return running.get(name, now, now + leaseLimits.ttlMs) !== undefined;
      }),
    check: ({ name, epoch }) =>
      guarded(() => {
        if (Number(newest.get(name)?.['epoch'] ?? 0) > epoch) throw replaced(name);
      }),
  };
}
