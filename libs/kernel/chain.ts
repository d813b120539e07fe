import { hash } from 'node:crypto';
import { chainedText, type EventText, type Unchained } from './chained.js';
import type { SealedEvent } from './event.js';

/** SHA-256 of a text, hex. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

/** The chain value of an event after `previous`, the chain of the event before it in its stream. `text` is the event's own. */
export function chainOf(previous: string, event: Unchained, text?: EventText): string {
  return sha256(chainedText(previous, event, text));
}

/** True when the event's own chain value is what its content and the one before it give. */
export function chainHolds(previous: string, event: SealedEvent): boolean {
  return chainOf(previous, event) === event.meta.chain;
}
