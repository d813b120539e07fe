import { randomUUID } from 'node:crypto';
import { chainOf, chainStart, eventId, type SealedEvent } from '#kernel';

const AT = '2026-01-01T00:00:00.000Z';

/** `count` chained events for `stream`, the first with revision `from`. Each call is one command with its own ids. */
export function sealedEvents(
  stream: string,
  from: number,
  count: number,
  note = 'x',
  commandId: string = randomUUID(),
  type = 'ContractExample',
): readonly SealedEvent[] {
  let previous = chainStart;
  return Array.from({ length: count }, (_, index) => {
    const unchained = {
      id: eventId(commandId, index),
      type,
      version: 1,
      stream,
      revision: from + index,
      at: AT,
      data: { note, amount: '12345678901234567890' },
      meta: {
        actor: { kind: 'system', id: 'contract', role: 'system' },
        commandId,
        requestHash: 'none',
        correlationId: commandId,
        causationId: commandId,
      },
    } as const;
    previous = chainOf(previous, unchained);
    return { ...unchained, meta: { ...unchained.meta, chain: previous } };
  });
}

/** A stream name that no other test of this run uses. */
export function freshStream(): string {
  return `contract-${randomUUID()}`;
}
