import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { chainedText, chainStart, type AuditEvent } from '#contracts';

/** What reading a stream says of an event: that it follows from the one before, that it doesn't, or that this one isn't at hand. */
export type Link = 'first' | 'follows' | 'broken' | 'unknown';

/** The chain value that an event has to have after the one before it, worked out here from what was read. */
export function chainAfter(previous: string, event: AuditEvent): string {
  return bytesToHex(sha256(utf8ToBytes(chainedText(previous, event as Parameters<typeof chainedText>[1]))));
}

/** How an event is chained to the one before it in its stream. */
export function linkOf(event: AuditEvent, before: AuditEvent | undefined): Link {
  if (event.revision === 0) return chainAfter(chainStart, event) === event.meta.chain ? 'first' : 'broken';
  if (before === undefined) return 'unknown';
  const isNext = before.stream === event.stream && before.revision === event.revision - 1;
  return isNext && chainAfter(before.meta.chain, event) === event.meta.chain ? 'follows' : 'broken';
}

/** A link in words. */
export function linkText(link: Link, revision: number): string {
  if (link === 'first') return 'begins the stream';
  if (link === 'follows') return `follows revision ${revision - 1}`;
  if (link === 'broken') return `does not follow revision ${revision - 1}`;
  return 'not checked';
}
