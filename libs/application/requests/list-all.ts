import type { ListedRequest, RequestPage } from '#contracts';
import type { RequestDocument, TransferDocument } from '#projections';
import type { ListQuery } from '#read-store';
import { filtersIn, readPage, wholeInstants, type PageAsked } from '../paging.js';
import { indexFor } from './list.js';
import { commonOf, countsOf, peopleOf, type RequestSources } from './view.js';
import { Query } from '../message.js';

type Kind = ListedRequest['kind'];
/** Which requests are asked for, and which page of them. */
type Filter = PageAsked & {
  readonly kind?: Kind | undefined;
  readonly status?: string | undefined;
  readonly currency?: string | undefined;
};
type Row = (RequestDocument | TransferDocument) & { readonly kind: Kind; readonly createdAt: string };

const kinds: readonly Kind[] = ['Funding', 'withdrawal', 'transfer'];

/** One page of requests of all kinds, newest first, with the names of those they belong to and of those who decided. */
export class ListRequests extends Query<RequestPage> {
  constructor(readonly filter: Filter) {
    super();
  }
}

export class ListRequestsHandler {
  constructor(private readonly parts: RequestSources) {}

  async execute({ filter }: ListRequests): Promise<RequestPage> {
    const { readStore } = this.parts;
    const { kind, status, currency } = filter;
    const equals = filtersIn({ kind, status, currency });
    const page = await readPage(
      { ...filter, ...wholeInstants(filter), index: 'every', equals },
      (query) => this.merged(kind === undefined ? kinds : [kind], filtersIn({ status, currency }), query),
      ['createdAt', 'id'],
    );
    const people = await peopleOf(readStore, page.items);
    const counts = await countsOf(this.parts, page.items);
    return {
      ...page,
      items: page.items.map((row) => ({ ...commonOf(row, people, counts), kind: row.kind })),
    };
  }

  /** As many rows of each kind as are asked for: those that come first among them come first among all. */
  private async merged(
    asked: readonly Kind[],
    equals: Readonly<Record<string, string>>,
    query: ListQuery,
  ): Promise<readonly Row[]> {
    const rows = (await Promise.all(asked.map((kind) => this.ofKind(kind, equals, query)))).flat();
    const sign = query.direction === 'ascending' ? 1 : -1;
    return rows.sort((one, two) => sign * compare(one, two)).slice(0, query.limit);
  }

  private async ofKind(
    kind: Kind,
    equals: Readonly<Record<string, string>>,
    query: ListQuery,
  ): Promise<readonly Row[]> {
    const { readStore } = this.parts;
    const index = indexFor(equals);
    const rows =
      kind === 'transfer'
        ? await readStore.list<TransferDocument>('transfers', { ...query, index, equals })
        : await readStore.list<RequestDocument>('requests', {
            ...query,
            index,
            equals: { ...equals, type: kind },
          });
    return rows.map((row) => ({ ...row, kind }));
  }
}

/** By when they were made, and then by their ids, as texts: the order that the read store has. */
function compare(one: Row, two: Row): number {
  const [a, b] = one.createdAt === two.createdAt ? [one.id, two.id] : [one.createdAt, two.createdAt];
  return a < b ? -1 : a > b ? 1 : 0;
}
