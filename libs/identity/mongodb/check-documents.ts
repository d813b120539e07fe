import type { DamagedRow, RowsChecked, RowsPlace } from '#identity';
import { change, isWhole, text, type Documents } from '#mongodb';

/**
 * Compares documents with their checksums, collection after collection, each in the order of its ids. Those of before, which
 * have none, are given one where it `completes` them.
 */
export async function checkDocuments(
  { kinds, completes }: { readonly kinds: readonly Documents<object>[]; readonly completes: boolean },
  after: RowsPlace | undefined,
  limit: number,
): Promise<RowsChecked> {
  const found = after === undefined ? 0 : kinds.findIndex(({ collection }) => collection === after.table);
  // A place in a collection that there is no more: from the beginning.
  const at = Math.max(found, 0);
  const documents = kinds[at];
  if (documents === undefined) return { rows: 0, damaged: [], next: undefined };
  const { connection, collection: table } = documents;
  const behind = found === at && after !== undefined ? after.id : '';
  const page = { sort: { _id: 1 }, limit } as const;
  const rows = await connection.find(table, { _id: { $gt: behind } }, page);
  const damaged: DamagedRow[] = [];
  for (const row of rows) {
    const id = text(row, '_id');
    if (completes && row['sum'] === undefined) await sum(documents, id);
    if (isWhole(row)) continue;
    documents.damaged?.(id);
    damaged.push({ table, id });
  }
  const last = rows.at(-1);
  const following = kinds[at + 1];
  const next =
    rows.length === limit && last !== undefined
      ? { table, id: text(last, '_id') }
      : following && { table: following.collection, id: '' };
  return { rows: rows.length, damaged, next };
}

/** Writes a document of before as it is, which gives it its checksum. */
async function sum<Value extends object>(documents: Documents<Value>, id: string): Promise<void> {
  await change(documents, id, (there) =>
    there === undefined ? { result: undefined } : { next: there, result: undefined },
  );
}
