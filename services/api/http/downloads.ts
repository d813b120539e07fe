import { Injectable, StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { LodeError } from '#kernel';

/** Files that are sent at once: each holds a page of rows, and takes its turns beside everything else. */
const FILES_MAX = 8;
/** Those of one person, so that nobody has them all. */
const FILES_PER_PERSON_MAX = 3;
/** A file of which nothing is taken for this long is given up, in milliseconds: others wait for its place. */
const UNTAKEN_MS = 30_000;

/** What a file is, for whoever takes it. */
export type FileShown = { readonly type: string; readonly disposition: string };

/** Sends files that are made while they are sent. */
@Injectable()
export class Downloads {
  private readonly open = new Set<{ readonly by: string }>();

  /**
   * The file that `begin` makes, chunk after chunk, each made only when the one before has been taken, until there is no
   * more or the client goes. `by` is who wants it: a user's id, or for a visitor the network that the request came from.
   * Refuses with `overloaded` when too many are under way, with `rate_limited` when too many of them are the same person's,
   * and as `begin` does; an error later on cuts the connection, so that no part passes for the whole.
   */
  async send(
    by: string,
    shown: FileShown,
    begin: () => Promise<AsyncIterable<Buffer>>,
  ): Promise<StreamableFile> {
    const release = this.admit(by);
    try {
      const chunks = await begin();
      const giveUp = () => stream.destroy(new LodeError('overloaded', 'Nobody took the rest of the file.'));
      const stream = Readable.from(whileTaken(chunks, giveUp), { objectMode: false });
      stream.once('close', release);
      return new StreamableFile(stream, shown);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Gives a file its place; the answer lets go of it. */
  private admit(by: string): () => void {
    if (this.open.size >= FILES_MAX)
      throw new LodeError('overloaded', 'Too many files are being made. Try again.');
    if ([...this.open].filter((file) => file.by === by).length >= FILES_PER_PERSON_MAX)
      throw new LodeError('rate_limited', 'Too many files at once. Wait until one of them is complete.');
    const file = { by };
    this.open.add(file);
    return () => void this.open.delete(file);
  }
}

/** What there is after a page: where the next one is, or null. */
type Page<Row> = { readonly items: readonly Row[]; readonly next: string | null };

/** The rows of a list, page after page from the first. Between two pages everything else has its turn. */
export async function* pagesOf<Row>(
  first: Page<Row>,
  read: (next: string) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  for (let page = first; ; page = await read(page.next)) {
    yield page.items;
    if (page.next === null) return;
    await setImmediate();
  }
}

/** The chunks of a file; `giveUp` is called when nobody takes the next one for too long. */
async function* whileTaken(chunks: AsyncIterable<Buffer>, giveUp: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const untaken = setTimeout(giveUp, UNTAKEN_MS);
    try {
      yield chunk;
    } finally {
      clearTimeout(untaken);
    }
  }
}
