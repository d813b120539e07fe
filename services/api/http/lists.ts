import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import { networkOf } from '#application';
import { PAGE_SIZE_MAX, routes, type ListFile, type Route } from '#contracts';
import { vary } from './answers.js';
import { csvHead, csvLine, type Columns } from './csv.js';
import { Downloads, pagesOf } from './downloads.js';
import { preferredType } from './negotiate.js';
import { readBy } from './route.js';
import { LOG_SCOPE, staleHeaders, type LogScope } from './scope.js';

/** What a request wants a list as; undefined for a page of it. The file is named after the route. */
export type ListRequest = {
  readonly accept: ListFile | undefined;
  readonly name: string;
  /** Who wants it: a user's id, or for a visitor the network that the request came from. */
  readonly by: string;
  /** Nobody wants to see it, but only whether and how it would be answered. */
  readonly isHeadOnly: boolean;
  /** Adds headers to the answer. */
  readonly tell: (headers: Readonly<Record<string, string>>) => void;
};

/** The media type that a list's request names in its `Accept`, when its route has it, and a name for the file. */
export const ListParam = readBy((request, reply, route): ListRequest => {
  const { files = [], path }: Route = routes[route];
  const { caller, headers, ip, method } = request;
  if (files.length > 0) vary(reply, 'Accept');
  const type = preferredType(headers.accept, ['application/json', ...files]);
  return {
    accept: files.find((file) => file === type),
    name: path.slice(path.lastIndexOf('/') + 1),
    by: caller?.userId ?? networkOf(ip),
    isHeadOnly: method === 'HEAD',
    tell: (told) => void reply.headers({ ...told }),
  };
});

type Query = {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
};
type PageOf<Row> = {
  readonly items: readonly Row[];
  readonly next: string | null;
  readonly previous: string | null;
  /** Up to where the list goes, which its file of one JSON text a line begins with, so that it tells when it was cut. */
  readonly end?: unknown;
};
/** Where a page begins, and how many rows it has at most. */
export type PageRequest = { readonly cursor: string | undefined; readonly limit: number };

/** Answers what asks for lists: with a page, or with the whole list as a file. */
@Injectable()
export class Lists {
  constructor(
    @Inject(LOG_SCOPE) private readonly scope: LogScope,
    private readonly downloads: Downloads,
  ) {}

  /**
   * The page that `query` asks for, or the list from its cursor on as a file, which is sent page after page: refused as
   * `Downloads` does, and with whatever the first page is refused with. A cursor of another log gives the first page, and
   * an answer that says so.
   */
  async answer<Row, Page extends PageOf<Row>>(
    list: ListRequest,
    query: Query,
    columns: Columns<Row>,
    read: (page: PageRequest) => Promise<Page & PageOf<Row>>,
  ): Promise<Page | StreamableFile> {
    const { limit, format = formatOf(list.accept) } = query;
    const cursor = query.cursor === undefined ? undefined : this.scope.readCursor(query.cursor);
    if (query.cursor !== undefined && cursor === undefined) list.tell(staleHeaders(this.scope));
    if (format === 'json') return this.scoped(await read({ cursor, limit }));
    const shown = {
      type: `${typeOf[format]}; charset=utf-8`,
      disposition: `attachment; filename="${list.name}.${format}"`,
    };
    if (list.isHeadOnly) {
      // What the list would be refused with is found out, and the rest is not read to be thrown away.
      await read({ cursor, limit });
      return new StreamableFile(Readable.from([]), shown);
    }
    return this.downloads.send(list.by, shown, async () => {
      const first = await read({ cursor, limit: PAGE_SIZE_MAX });
      const pages = pagesOf(first, (next) => read({ cursor: next, limit: PAGE_SIZE_MAX }));
      return format === 'csv' ? csvLines(columns, pages) : jsonLines(pages, first.end);
    });
  }

  /** What is never more than one page: what `read` answers, or the rows that it has as a file. */
  async whole<Row, Answer>(
    list: ListRequest,
    format: Query['format'],
    columns: Columns<Row>,
    read: () => Promise<Answer & { readonly items: readonly Row[] }>,
  ): Promise<Answer | StreamableFile> {
    const answer = await read();
    const first = { first: 1, next: null, previous: null };
    const page = async () => ({ ...answer, ...first });
    if ((format ?? formatOf(list.accept)) === 'json') return answer;
    return this.answer(list, { limit: answer.items.length, format }, columns, page);
  }

  private scoped<Page extends Pick<PageOf<unknown>, 'next' | 'previous'>>(page: Page): Page {
    const scoped = (cursor: string | null) => (cursor === null ? null : this.scope.cursor(cursor));
    return { ...page, next: scoped(page.next), previous: scoped(page.previous) };
  }
}

const typeOf = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const satisfies Record<
  string,
  ListFile
>;

function formatOf(accept: ListFile | undefined): 'json' | 'csv' | 'ndjson' {
  return accept === 'text/csv' ? 'csv' : accept === 'application/x-ndjson' ? 'ndjson' : 'json';
}

type Pages<Row> = AsyncIterable<readonly Row[]>;

async function* csvLines<Row>(columns: Columns<Row>, pages: Pages<Row>): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHead(columns));
  for await (const rows of pages) {
    if (rows.length > 0) yield Buffer.from(rows.map((row) => csvLine(columns, row)).join(''));
  }
}

async function* jsonLines<Row>(pages: Pages<Row>, end: unknown): AsyncGenerator<Buffer> {
  if (end !== undefined) yield Buffer.from(`${JSON.stringify({ end })}\n`);
  for await (const rows of pages) {
    if (rows.length > 0) yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}
