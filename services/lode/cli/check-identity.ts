import type { Inspection, Progress } from '#engines';
import type { RowsPlace } from '#identity';

/** What was looked at of identity, and what is damaged. */
export type IdentityReport = {
  readonly rows: number;
  readonly damaged: number;
  /** The first of those. */
  readonly named: readonly { readonly table: string; readonly id: string }[];
};

/** Rows compared at a time. */
const PAGE = 1_000;
/** Damaged rows that are named one by one. */
const NAMED_MAX = 100;

/** Compares every row that identity keeps with its checksum; writes nothing. Undefined where there is no identity store. */
export async function checkIdentity(
  { openIdentityRows }: Pick<Inspection, 'openIdentityRows'>,
  progress: Progress,
): Promise<IdentityReport | undefined> {
  const store = await openIdentityRows();
  if (store === undefined) return undefined;
  try {
    const named: IdentityReport['named'][number][] = [];
    let [rows, damaged] = [0, 0];
    let place: RowsPlace | undefined;
    do {
      const page = await store.checkRows(place, PAGE);
      damaged += page.damaged.length;
      named.push(...page.damaged.slice(0, NAMED_MAX - named.length));
      progress('Looking at identity', (rows += page.rows));
      place = page.next;
    } while (place !== undefined);
    return { rows, damaged, named };
  } finally {
    await store.close();
  }
}

/** What a command gives of the damaged rows: how many there are, and the first of them. */
export function damagedRows(report: IdentityReport | undefined): Pick<IdentityReport, 'damaged' | 'named'> {
  return { damaged: report?.damaged ?? 0, named: report?.named ?? [] };
}

/** What is damaged of identity, a sentence each; how many more there are in the last one. */
export function damagedIdentity({ damaged, named }: IdentityReport): readonly string[] {
  const more = damaged - named.length;
  return [
    ...named.map(({ table, id }) => `what identity has of ${id} (${table}) is damaged`),
    ...(more === 0 ? [] : [`${more} more rows of identity are damaged`]),
  ];
}
