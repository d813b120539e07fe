import type { Change } from '#contracts';

/** The kinds of rows that answers are about: the collections of the live stream. */
export type TagType = Change['collection'];
/** One row of a kind, or the kind as a whole. */
export type Tag = { readonly type: TagType; readonly id: string };

const kinds: Readonly<Record<TagType, true>> = {
  accounts: true,
  requests: true,
  transfers: true,
  transactions: true,
  notifications: true,
  products: true,
  totals: true,
  settings: true,
  messages: true,
  approvals: true,
  changes: true,
};

/** Every kind: what is asked for again when nobody knows what changed. */
export const everything = Object.keys(kinds) as readonly TagType[];

/** Not the id of any row: those are longer, or in lower case. */
const WHOLE = 'WHOLE';

/** An answer about one row. */
export function row(type: TagType, id: string): Tag {
  return { type, id };
}

/** What one’s own second factor is. */
export const secondFactor = row('accounts', 'second-factor');

/** An answer that any row of a kind may change, one that is not in it too: a list, a sum. */
export function whole(type: TagType): Tag {
  return { type, id: WHOLE };
}

/** Whether a tag stands for all rows of its kind. */
export function isWhole({ id }: Tag): boolean {
  return id === WHOLE;
}

/** An answer that lists rows. */
export function rowsOf(type: TagType, rows: readonly { readonly id: string }[] = []): readonly Tag[] {
  return [whole(type), ...rows.map(({ id }) => row(type, id))];
}

/** What a change of one row makes old: what shows it, and the lists, which it may have entered or left. */
export function changed(type: TagType, id: string): readonly Tag[] {
  return [row(type, id), whole(type)];
}
