import {
  canonicalJson,
  chainOf,
  eventId,
  type DomainEvent,
  type EnvelopedEvent,
  type EventCodecs,
  type EventText,
  type SealedEvent,
} from '#kernel';
import type { CommandContext } from './command.js';

/** Events that are ready to be appended, and the text of each. */
export type Sealed = {
  readonly events: readonly SealedEvent[];
  readonly texts: readonly EventText[];
};

/** The events of a command, as they are stored and as the command is answered with them. */
export type SealedAnswer<E extends DomainEvent> = Sealed & { readonly answer: readonly EnvelopedEvent<E>[] };

/** Where a command's events go: after the event of this revision and chain, decided at this instant. */
export type Place<E extends DomainEvent> = {
  readonly stream: string;
  readonly revision: number;
  readonly chain: string;
  /** ISO 8601 instant in UTC with milliseconds. */
  readonly at: string;
  readonly codecs: EventCodecs<E>;
};

/**
 * The decided events in envelopes that continue the stream's chain, and the chain's last value: the only place where a
 * decided event becomes a stored one.
 */
export function sealEvents<E extends DomainEvent>(
  decided: readonly E[],
  context: CommandContext,
  { stream, revision, chain: before, at, codecs }: Place<E>,
): SealedAnswer<E> & { readonly chain: string } {
  const { commandId, requestHash, correlationId, causationId, actor, reason, session, settings } = context;
  // In the order of canonical JSON, in which it is written sooner.
  const meta = {
    actor,
    causationId,
    commandId,
    correlationId,
    ...(reason === undefined ? {} : { reason }),
    requestHash,
    ...(session === undefined ? {} : { session }),
    ...(settings === undefined ? {} : { settings }),
  };
  const metaText = canonicalJson(meta);
  const texts: EventText[] = [];
  const answer: EnvelopedEvent<E>[] = [];
  let chain = before;
  const events: SealedEvent[] = [];
  for (const [index, event] of decided.entries()) {
    const { type, version, data } = codecs.encode(event);
    const unchained = {
      type,
      data,
      id: eventId(commandId, index),
      version,
      stream,
      revision: revision + 1 + index,
      at,
      meta,
    };
    const text = { data: canonicalJson(data), meta: metaText };
    chain = chainOf(chain, unchained, text);
    const sealed = { ...unchained, meta: { ...meta, chain } };
    texts.push(text);
    events.push(sealed);
    answer.push(answeredEvent(sealed, event));
  }
  return { events, texts, answer, chain };
}

/** A domain event in the envelope that it has in the log. */
export function answeredEvent<E extends DomainEvent>(sealed: SealedEvent, { data }: E): EnvelopedEvent<E> {
  return { ...sealed, data } as SealedEvent & E;
}

/** What some commands gave, one after the other; nearly always it is one command. */
export function joinSealed(sealed: readonly Sealed[]): Sealed {
  const [only] = sealed;
  if (only !== undefined && sealed.length === 1) return only;
  return {
    events: sealed.flatMap(({ events }) => events),
    texts: sealed.flatMap(({ texts }) => texts),
  };
}
