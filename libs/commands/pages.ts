import type { Position, StreamEvent } from '#kernel';
import type { EventStore, StreamRead } from '#event-store';

type Page = readonly StreamEvent[];

/**
 * Reads a page of a stream, whose last event then has a position: its own or, of an engine that does not tell it, where
 * the log ended after the read. So no answer names a position before what it speaks of.
 */
export async function readPage(store: EventStore, stream: string, read: StreamRead): Promise<Page> {
  const page = await store.readStream(stream, read);
  return isPlaced(page) ? page : placed(page, await store.head());
}

/** Reads the first page of each of some streams, as `readPage` does each. */
export async function readPages(
  store: EventStore,
  streams: readonly string[],
  limit: number,
): Promise<readonly Page[]> {
  const pages = await store.readStreams(streams, limit);
  if (pages.every(isPlaced)) return pages;
  const head = await store.head();
  return pages.map((page) => (isPlaced(page) ? page : placed(page, head)));
}

function isPlaced(page: Page): boolean {
  const last = page.at(-1);
  return last === undefined || last.position !== undefined;
}

function placed(page: Page, position: Position): Page {
  return page.map((event, n) => (n === page.length - 1 ? { ...event, position } : event));
}
