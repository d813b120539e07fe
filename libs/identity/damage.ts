import { isLodeError, LodeError } from '#kernel';

/** A row of the identity store that is not what was written. */
export type DamagedRow = {
  /** What kind of row, by its table. */
  readonly table: string;
  /** Whose: the id of a person, message or invitation. */
  readonly id: string;
};

/** The refusal of a row that is not what was written. It can't be made again: only a backup has it. */
export function damagedRow({ table, id }: DamagedRow): LodeError {
  const message = `What identity has of ${id} (${table}) is damaged: it is refused until a backup is restored. See docs/how-to/restore.md.`;
  return new LodeError('storage_failed', message, { table, id });
}

/** The row that an error refuses; undefined when it is another error. */
export function damagedRowIn(error: unknown): DamagedRow | undefined {
  if (!isLodeError(error) || error.code !== 'storage_failed') return undefined;
  const { table, id } = error.details;
  return typeof table === 'string' && typeof id === 'string' ? { table, id } : undefined;
}

/** The damaged rows that were met, each once. */
export type DamagedRows = {
  /** Gives the refusal of a row, and remembers and tells it when it was not met before. */
  readonly refuse: (row: DamagedRow) => LodeError;
  /** Has each of them told: those of before at once. */
  readonly watch: (hear: (row: DamagedRow) => void) => void;
};

/** The most damaged rows that are told apart. */
const TOLD_MAX = 1_000;

export function createDamagedRows(): DamagedRows {
  const known = new Map<string, DamagedRow>();
  let tell: (row: DamagedRow) => void = () => undefined;
  return {
    refuse: (row) => {
      const key = `${row.table}/${row.id}`;
      if (!known.has(key) && known.size < TOLD_MAX) {
        known.set(key, row);
        tell(row);
      }
      return damagedRow(row);
    },
    watch: (hear) => {
      tell = hear;
      for (const row of known.values()) hear(row);
    },
  };
}
