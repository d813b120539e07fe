import type { OwnData } from '#contracts';
import { pagesOf } from '../http/downloads.js';

type Page<Row> = { readonly items: readonly Row[]; readonly next: string | null };
/** Reads a page of a list: the first, or the one that the page before names. */
export type ReadPage<Row> = (next: string | undefined) => Promise<Page<Row>>;

/** The lists of the file that may be long, and are read while it is sent. */
type LongName =
  | 'transactions'
  | 'fundRequests'
  | 'withdrawals'
  | 'transfers'
  | 'receivedTransfers'
  | 'notifications'
  | 'messages'
  | 'mails'
  | 'files'
  | 'security'
  | 'events';
/** How each is read; each as the contract says that it is. */
export type LongLists = { readonly [Name in LongName]: ReadPage<OwnData[Name][number]> };
/** What is at hand when the file begins. */
export type ShortParts = Omit<OwnData, LongName>;

/**
 * The file of all that there is about a person: one JSON text, with a row of a list on each line. A page of one list is all
 * that is held of them, and between two pages everything else has its turn.
 */
export async function* ownDataFile(short: ShortParts, long: LongLists): AsyncGenerator<Buffer> {
  yield Buffer.from(JSON.stringify(short).slice(0, -1));
  for (const [name, read] of Object.entries<ReadPage<unknown>>(long)) {
    yield Buffer.from(`,\n${JSON.stringify(name)}:[`);
    yield* rowsOf(read);
    yield Buffer.from(']');
  }
  yield Buffer.from('}\n');
}

async function* rowsOf(read: ReadPage<unknown>): AsyncGenerator<Buffer> {
  let before = '\n';
  for await (const rows of pagesOf(await read(undefined), read)) {
    if (rows.length === 0) continue;
    yield Buffer.from(before + rows.map((row) => JSON.stringify(row)).join(',\n'));
    before = ',\n';
  }
}
