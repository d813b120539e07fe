import type { RecordedEvent } from '#kernel';

/** Who decided a request, when and why. It names people by id only. */
export type Decision = {
  readonly at: string;
  /** The id of the actor who decided. */
  readonly by: string;
  /** What was booked in the request's currency; of a confirmed request. */
  readonly converted?: string;
  /** US dollars for one unit of the currency; of a confirmed request. */
  readonly price?: string;
  readonly reason?: string;
};

/** The decision that an event is. */
export function decisionOf(
  { at, meta }: RecordedEvent,
  booked?: { readonly converted: string; readonly price: string },
): Decision {
  const by = meta.actor.id;
  const worth = booked === undefined ? {} : { converted: booked.converted, price: booked.price };
  return { at, by, ...worth, ...(meta.reason === undefined ? {} : { reason: meta.reason }) };
}
