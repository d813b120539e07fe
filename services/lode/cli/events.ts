import type { EventStore } from '#event-store';
import { comparePositions, logStart, type Position, type RecordedEvent } from '#kernel';

/** Events read at a time. */
const PAGE = 1_000;

/** Every event of a log up to a position. */
export async function* eventsOf(
  store: Pick<EventStore, 'readAll'>,
  head: Position,
): AsyncGenerator<RecordedEvent, undefined> {
  for (let after = logStart; comparePositions(after, head) < 0;) {
    const page = await store.readAll(after, PAGE);
    for (const event of page) {
      if (comparePositions(event.position, head) > 0) return undefined;
      yield event;
    }
    after = page.at(-1)?.position ?? head;
  }
  return undefined;
}
