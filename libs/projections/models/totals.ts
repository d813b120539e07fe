import { logStart, unreachable, type RecordedEvent } from '#kernel';
import type { Document } from '#read-store';
import type { OpenedAccountEvent } from '../personal-data.js';
import { defineReadModel, type Change } from '../read-model.js';
import { plus } from './amounts.js';

/** Counts and sums over all customers; the one document of its collection, there since the first event that counts. */
export type TotalsDocument = Document & {
  /** Customers; admins are not counted. */
  readonly users: number;
  /** US dollars of confirmed requests. */
  readonly funding: string;
  /** Requests that wait for a decision. */
  readonly pendingFunding: number;
};

/** The id of the one document. */
export const TOTALS_ID = 'totals';

type CountedEvent = Exclude<OpenedAccountEvent, { type: 'WalletCredited' | 'WalletDebited' }>;

const none: TotalsDocument = {
  funding: '0.00',
  id: TOTALS_ID,
  pendingFunding: 0,
  position: logStart,
  users: 0,
};

function counted(totals: TotalsDocument, event: RecordedEvent<CountedEvent>): TotalsDocument {
  const { funding, pendingFunding, users } = totals;
  const { position } = event;
  switch (event.type) {
    case 'AccountOpened':
      return { ...totals, position, users: users + 1 };
    case 'FundingRequested':
      return { ...totals, pendingFunding: pendingFunding + 1, position };
    case 'FundingConfirmed':
      return {
        ...totals,
        funding: plus(funding, event.data.amount, 'USD'),
        pendingFunding: pendingFunding - 1,
        position,
      };
    case 'FundingRejected':
      return { ...totals, pendingFunding: pendingFunding - 1, position };
    default:
      return unreachable(event);
  }
}

/** One document for everyone. */
export const totals = defineReadModel<CountedEvent, TotalsDocument>({
  name: 'totals',
  version: 1,
  indexes: [],
  handles: ['AccountOpened', 'FundingRequested', 'FundingConfirmed', 'FundingRejected'],
  on: (event): readonly Change<TotalsDocument>[] => {
    if (event.type === 'AccountOpened' && event.data.role !== 'user') return [];
    return [{ id: TOTALS_ID, change: (document = none) => counted(document, event) }];
  },
  ownerOf: () => null,
});
