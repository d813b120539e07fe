import type { DailySums } from '#contracts';
import type { Columns } from '../http/csv.js';

/** What moved on a day in a currency, as a line of a file. */
export const dailySumColumns: Columns<DailySums['items'][number]> = [
  ['day', ({ day }) => day],
  ['currency', ({ currency }) => currency],
  ['in', (row) => row.in],
  ['out', ({ out }) => out],
  ['bonus', ({ bonus }) => bonus],
  ['byHand', ({ byHand }) => byHand],
  ['held', ({ held }) => held],
];
