import { canonicalJson, chainOf, eventId, type DomainEvent, type EventText, type SealedEvent } from '#kernel';
import type { CommandContext } from './command.js';

/** Events that are ready to be appended, and the text of each. */
export type Sealed<E extends DomainEvent> = {
  readonly events: readonly SealedEvent<E>[];
  readonly texts: readonly EventText[];
};

/** Where a command's events go: after the event of this revision and chain, decided at this instant. */
export type Place<E extends DomainEvent> = {
  readonly stream: string;
  readonly revision: number;
  readonly chain: string;
  /** ISO 8601 instant in UTC with milliseconds. */
  readonly at: string;
  readonly versions: { readonly [Type in E['type']]: number };
};

/**
 * The decided events in envelopes that continue the stream's chain, and the chain's last value: the only place where a
 * decided event becomes a stored one.
 */
export function sealEvents<E extends DomainEvent>(
  decided: readonly E[],
  context: CommandContext,
  { stream, revision, chain: before, at, versions }: Place<E>,
): Sealed<E> & { readonly chain: string } {
  const { commandId, requestHash, correlationId, causationId, actor, reason, session } = context;
  // In the order of canonical JSON, in which it is written sooner.
  const meta = {
    actor,
    causationId,
    commandId,
    correlationId,
    ...(reason === undefined ? {} : { reason }),
    requestHash,
    ...(session === undefined ? {} : { session }),
  };
  const metaText = canonicalJson(meta);
  const texts: EventText[] = [];
  let chain = before;
  const events = decided.map((event, index) => {
    const unchained = {
      ...event,
      id: eventId(commandId, index),
      version: versions[event.type as E['type']],
      stream,
      revision: revision + 1 + index,
      at,
      meta,
    };
    const text = { data: canonicalJson(event.data), meta: metaText };
    chain = chainOf(chain, unchained, text);
    texts.push(text);
    return { ...unchained, meta: { ...meta, chain } };
  });
  return { events, texts, chain };
}

/** What some commands gave, one after the other; nearly always it is one command. */
export function joinSealed<E extends DomainEvent>(sealed: readonly Sealed<E>[]): Sealed<E> {
  const [only] = sealed;
  if (only !== undefined && sealed.length === 1) return only;
  return {
    events: sealed.flatMap(({ events }) => events),
    texts: sealed.flatMap(({ texts }) => texts),
  };
}
