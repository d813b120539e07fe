import { hash } from 'node:crypto';
import { canonicalJson, type Json } from './canonical-json.js';
import type { DomainEvent, EventMeta, SealedEvent } from './event.js';

/** What the first event of every stream is chained to. */
export const chainStart = '0'.repeat(64);

/** SHA-256 of a text, hex. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

type Unchained<E extends DomainEvent> = Omit<SealedEvent<E>, 'meta'> & {
  readonly meta: Omit<EventMeta, 'chain'>;
};

/** The chain value of an event after `previous`, the chain of the event before it in its stream. */
export function chainOf<E extends DomainEvent>(previous: string, event: Unchained<E>): string {
  const { id, type, version, stream, revision, at, data } = event;
  const meta: Record<string, unknown> = { ...event.meta };
  delete meta['chain'];
  return sha256(
    previous +
      canonicalJson({ id, type, version, stream, revision, at, data, meta: meta as unknown as Json }),
  );
}

/** True when the event's own chain value is what its content and the one before it give. */
export function chainHolds(previous: string, event: SealedEvent): boolean {
  return chainOf(previous, event) === event.meta.chain;
}
