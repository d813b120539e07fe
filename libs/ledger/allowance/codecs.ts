import { eventCodecs, reading, type EventCodecs } from '#kernel';
import { formatMoney, parseMoney } from '../money.js';
import type { AllowanceEvent } from './events.js';

type Data = AllowanceEvent['data'];
type Stored = Omit<Data, 'amount'> & { readonly amount: string };

/** How the events are stored. */
export const allowanceCodecs: EventCodecs<AllowanceEvent> = eventCodecs<AllowanceEvent>({
  AllowanceUsed: {
    version: 1,
    read: { 1: reading((stored: Stored): Data => ({ ...stored, amount: parseMoney(stored.amount, 'USD') })) },
    write: ({ amount, approvals, at, currency }) => ({
      amount: formatMoney(amount, 'USD'),
      approvals,
      at,
      currency,
    }),
  },
});
