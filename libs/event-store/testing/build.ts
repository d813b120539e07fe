import { randomUUID } from 'node:crypto';
import { chainOf, chainStart, eventId, type SealedEvent } from '#kernel';

const AT = '2026-01-01T00:00:00.000Z';

/** What the events of one command are like; each of them may be left out. */
type Given = {
  readonly note?: string;
  readonly commandId?: string;
  readonly type?: string;
  /** The chain of the event before them. */
  readonly previous?: string;
};

/** `count` chained events for `stream`, the first with revision `from`. Each call is one command with its own ids. */
export function sealedEvents(
  stream: string,
  from: number,
  count: number,
  { note = 'x', commandId = randomUUID(), type = 'ContractExample', previous = chainStart }: Given = {},
): readonly SealedEvent[] {
  let chain = previous;
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
    chain = chainOf(chain, unchained);
    return { ...unchained, meta: { ...unchained.meta, chain } };
  });
}

/** A stream name that no other test of this run uses. */
export function freshStream(): string {
  return `contract-${randomUUID()}`;
}
