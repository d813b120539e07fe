import type { Statement } from '#contracts';
import type { Columns } from '../http/csv.js';

/** An entry of a statement as a line of a file. */
export const statementColumns: Columns<Statement['entries'][number]> = [
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
];
