import type { Envelope } from '#kernel';
import { formatDecimal, formatMoney, PRICE_SCALE, type Conversion } from '#ledger';

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
  { at, meta }: Envelope,
  booked?: Pick<Conversion, 'converted' | 'currency' | 'price'>,
): Decision {
  const by = meta.actor.id;
  const conversion =
    booked === undefined
      ? {}
      : {
          converted: formatMoney(booked.converted, booked.currency),
          price: formatDecimal(booked.price, PRICE_SCALE),
        };
  return { at, by, ...conversion, ...(meta.reason === undefined ? {} : { reason: meta.reason }) };
}
