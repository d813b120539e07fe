import { createParamDecorator, Injectable, StreamableFile, type ExecutionContext } from '@nestjs/common';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { PAGE_SIZE_MAX, routes, type ListFile, type Route, type RouteName } from '#contracts';
import { LodeError } from '#kernel';
import { csvHead, csvLine, type Columns } from './csv.js';
import { ROUTE, type LodeRequest } from './route.js';

/** Lists that are sent as files at once: each holds a page of rows, and takes its turns beside everything else. */
const FILES_MAX = 8;

/** What a request wants a list as; undefined for a page of it. The file is named after the route. */
export type WantedList = { readonly accept: ListFile | undefined; readonly name: string };

/** The media type that a list's request names in its `Accept`, when its route has it, and a name for the file. */
export const Wanted = createParamDecorator((_: unknown, context: ExecutionContext): WantedList => {
  const name = Reflect.getMetadata(ROUTE, context.getHandler()) as RouteName;
  const { files = [], path }: Route = routes[name];
  const { accept = '' } = context.switchToHttp().getRequest<LodeRequest>().headers;
  return {
    accept: files.find((type) => accept.startsWith(type)),
    name: path.slice(path.lastIndexOf('/') + 1),
  };
});

type Query = {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
};
type PageOf<Row> = { readonly items: readonly Row[]; readonly next: string | null };
/** Where a page begins, and how many rows it has at most. */
export type PageWanted = { readonly cursor: string | undefined; readonly limit: number };

/** Answers what asks for lists: with a page, or with the whole list as a file. */
@Injectable()
export class Lists {
  private open = 0;

  /**
   * The page that `query` asks for, or the list from its cursor on as a file: page after page, each read only when the
   * one before has been taken, until the list ends or the client goes. Refuses with `overloaded` when too many are under
   * way, and with whatever the first page is refused with; an error later on cuts the connection, so that no part passes
   * for the whole.
   */
  async answer<Row, Page extends PageOf<Row>>(
    wanted: WantedList,
    query: Query,
    columns: Columns<Row>,
    read: (page: PageWanted) => Promise<Page & PageOf<Row>>,
  ): Promise<Page | StreamableFile> {
    const { cursor, limit, format = formatOf(wanted.accept) } = query;
    if (format === 'json') return read({ cursor, limit });
    if (this.open >= FILES_MAX)
      throw new LodeError('overloaded', 'Too many files are being made. Try again.');
    this.open++;
    try {
      const first = await read({ cursor, limit: PAGE_SIZE_MAX });
      const lines = format === 'csv' ? csvLines(columns, first, read) : jsonLines(first, read);
      const stream = Readable.from(lines, { objectMode: false });
      stream.once('close', () => this.open--);
      return new StreamableFile(stream, {
        type: `${typeOf[format]}; charset=utf-8`,
        disposition: `attachment; filename="${wanted.name}.${format}"`,
      });
    } catch (error) {
      this.open--;
      throw error;
    }
  }
}

const typeOf = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const satisfies Record<
  string,
  ListFile
>;

function formatOf(accept: ListFile | undefined): 'json' | 'csv' | 'ndjson' {
  return accept === 'text/csv' ? 'csv' : accept === 'application/x-ndjson' ? 'ndjson' : 'json';
}

type Read<Row> = (page: PageWanted) => Promise<PageOf<Row>>;

/** The list's pages, from the first. Between two of them everything else has its turn. */
async function* pagesOf<Row>(first: PageOf<Row>, read: Read<Row>): AsyncGenerator<readonly Row[]> {
  let page = first;
  for (;;) {
    yield page.items;
    if (page.next === null) return;
    await setImmediate();
    page = await read({ cursor: page.next, limit: PAGE_SIZE_MAX });
  }
}

async function* csvLines<Row>(
  columns: Columns<Row>,
  first: PageOf<Row>,
  read: Read<Row>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHead(columns));
  for await (const rows of pagesOf(first, read)) {
    if (rows.length > 0) yield Buffer.from(rows.map((row) => csvLine(columns, row)).join(''));
  }
}

async function* jsonLines<Row>(first: PageOf<Row>, read: Read<Row>): AsyncGenerator<Buffer> {
  for await (const rows of pagesOf(first, read)) {
    if (rows.length > 0) yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}
