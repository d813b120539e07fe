import { limits, type Append } from '#event-store';
import type { RecordedEvent } from '#kernel';

/** Bytes of events in one append: a share of what it takes, because each is stored with some text around it. */
const APPEND_BYTES = Math.floor(limits.bytesPerAppend / 2);

/** An event that is written again as it is, and the bytes of its text. */
export type Rewritten = { readonly event: RecordedEvent; readonly bytes: number };

/** Appends that write events in their order, those of a stream that follow each other together. */
export function appendsOf(events: readonly Rewritten[]): readonly Append[] {
  const appends: { stream: string; events: RecordedEvent[]; bytes: number }[] = [];
  for (const { event, bytes } of events) {
    const last = appends.at(-1);
    const fits =
      last?.stream === event.stream &&
      last.bytes + bytes <= APPEND_BYTES &&
      last.events.length < limits.eventsPerAppend;
    if (fits) {
      last.events.push(event);
      last.bytes += bytes;
    } else appends.push({ stream: event.stream, events: [event], bytes });
  }
  return appends.map(({ stream, events: own }) => {
    const first = own[0]?.revision ?? 0;
    return { stream, expected: first === 0 ? 'no-stream' : first - 1, events: own };
  });
}
