import { canonicalJson, type Json } from './canonical-json.js';
import type { EventMeta, SealedEvent } from './event.js';

/** What the first event of every stream is chained to. */
export const chainStart = '0'.repeat(64);

/** An event without its own place in the chain. */
export type Unchained = Omit<SealedEvent, 'meta'> & { readonly meta: Omit<EventMeta, 'chain'> };

/**
 * An event's two large parts as the chain covers them, in canonical JSON; `meta` is without the chain. Whoever seals an
 * event hands them on to the log, so that they are written once.
 */
export type EventText = { readonly data: string; readonly meta: string };

/** The text whose hash is the chain value of an event after `previous`. Whatever reads events can make it: it needs no hash itself. */
export function chainedText(previous: string, event: Unchained, text: EventText = eventText(event)): string {
  const { id, type, version, stream, revision, at } = event;
  // The members in canonical order.
  return (
    `${previous}{"at":${jsonOf(at)},"data":${text.data},"id":${jsonOf(id)},"meta":${text.meta},` +
    `"revision":${jsonOf(revision)},"stream":${jsonOf(stream)},"type":${jsonOf(type)},"version":${jsonOf(version)}}`
  );
}

/** The texts of an event, sealed or about to be. */
export function eventText({ data, meta }: Unchained): EventText {
  const unchained: Record<string, unknown> = { ...meta };
  delete unchained['chain'];
  return { data: jsonOf(data), meta: canonicalJson(unchained as Json) };
}

/** What a damaged event lacks reads as null, which no sealed one has there. */
function jsonOf(value: Json | undefined): string {
  return value === undefined ? 'null' : canonicalJson(value);
}
