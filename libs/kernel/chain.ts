import { hash } from 'node:crypto';
import { canonicalJson, type Json } from './canonical-json.js';
import type { EventMeta, SealedEvent } from './event.js';

/** What the first event of every stream is chained to. */
export const chainStart = '0'.repeat(64);

/** SHA-256 of a text, hex. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

type Unchained = Omit<SealedEvent, 'meta'> & { readonly meta: Omit<EventMeta, 'chain'> };

/**
 * An event's two large parts as the chain covers them, in canonical JSON; `meta` is without the chain. Whoever seals an
 * event hands them on to the log, so that they are written once.
 */
export type EventText = { readonly data: string; readonly meta: string };

/** The chain value of an event after `previous`, the chain of the event before it in its stream. `text` is the event's own. */
export function chainOf(previous: string, event: Unchained, text: EventText = eventText(event)): string {
  const { id, type, version, stream, revision, at } = event;
  // The members in canonical order.
  return sha256(
    `${previous}{"at":${jsonOf(at)},"data":${text.data},"id":${jsonOf(id)},"meta":${text.meta},` +
      `"revision":${jsonOf(revision)},"stream":${jsonOf(stream)},"type":${jsonOf(type)},"version":${jsonOf(version)}}`,
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

/** True when the event's own chain value is what its content and the one before it give. */
export function chainHolds(previous: string, event: SealedEvent): boolean {
  return chainOf(previous, event) === event.meta.chain;
}
