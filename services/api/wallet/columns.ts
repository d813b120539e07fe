import type { Statement } from '#contracts';
import type { Columns } from '../http/csv.js';

type Entry = Statement['entries'][number];
/** What a line has of a whole statement: the same in each line, so that every line can be read by itself. */
type Whole = Pick<Statement, 'currency' | 'zone'>;
/** A line of a statement's file: an entry, or a balance that nothing but the period makes. */
export type StatementLine = Whole &
  Pick<Entry, 'at' | 'description' | 'after'> &
  Partial<Omit<Entry, 'revision'>> & { readonly revision: number | null };

/**
 * The lines of a file that a page of a statement makes: its entries, after what there was before the period where the page
 * is the first, and before what there was at its end where it is the last. That tells where in the log the whole file is
 * true: what was appended while it was made is on its later pages.
 */
export function statementLines(
  statement: Omit<Statement, 'entries'>,
  entries: readonly Entry[],
): readonly StatementLine[] {
  const { currency, zone, begins, ends, opening, closing, revision, position, previous, next } = statement;
  const whole = { currency, zone };
  const before = { ...whole, at: begins, description: 'Opening balance', after: opening, revision: null };
  const after = { ...whole, at: ends, description: 'Closing balance', after: closing, revision, position };
  return [
    ...(previous === null ? [before] : []),
    ...entries.map((entry) => ({ ...whole, ...entry })),
    ...(next === null ? [after] : []),
  ];
}

/** A line of a statement as a line of a file. */
export const statementColumns: Columns<StatementLine> = [
  ['eventId', ({ eventId }) => eventId],
  ['at', ({ at }) => at],
  ['type', ({ type }) => type],
  ['description', ({ description }) => description],
  ['change', ({ change }) => change],
  ['heldChange', ({ heldChange }) => heldChange],
  ['balance', ({ after }) => after.balance],
  ['available', ({ after }) => after.available],
  ['held', ({ after }) => after.held],
  ['requestId', ({ requestId }) => requestId],
  ['reason', ({ reason }) => reason],
  ['position', ({ position }) => position],
  ['revision', ({ revision }) => revision],
  ['currency', ({ currency }) => currency],
  ['zone', ({ zone }) => zone],
];
