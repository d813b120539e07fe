import type { PaymentCurrency } from '#contracts';
import type { Document, ReadStoreReader } from '#read-store';
import type { Ports } from '../ports.js';
import { Query } from '../message.js';

/** What a transfer needs between two people is a few commits: one that takes longer than this stands still. Milliseconds. */
export const STALLED_AFTER_MS = 60_000;
/** The most that are told at once. */
const STALLED_LISTED_MAX = 100;

type TransferRow = Document & {
  readonly userId: string;
  readonly receiver: { readonly userId: string } | null;
  readonly amount: string;
  readonly currency: PaymentCurrency;
  readonly deliveryAt: string;
};

/** A transfer that left its sender at `since` and has neither arrived nor come back. */
export type StalledTransfer = {
  readonly requestId: string;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly currency: PaymentCurrency;
  readonly since: string;
};

/** The transfers that stand still at an instant (milliseconds), the oldest first. */
export async function stalledTransfers(
  readStore: Pick<ReadStoreReader, 'list'>,
  now: number,
): Promise<readonly StalledTransfer[]> {
  const before = new Date(now - STALLED_AFTER_MS).toISOString();
  const underWay = await readStore.list<TransferRow>('transfers', {
    index: 'delivery',
    equals: { delivery: 'in transit' },
    direction: 'ascending',
    limit: STALLED_LISTED_MAX,
  });
  return underWay
    .filter(({ deliveryAt }) => deliveryAt <= before)
    .map(({ id, userId, receiver, amount, currency, deliveryAt }) => ({
      requestId: id,
      from: userId,
      to: receiver?.userId ?? '',
      amount,
      currency,
      since: deliveryAt,
    }));
}

/** The transfers that stand still now, the oldest first. */
export class ListStalledTransfers extends Query<readonly StalledTransfer[]> {}

export class ListStalledTransfersHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore' | 'clock'>) {}

  execute(): Promise<readonly StalledTransfer[]> {
    return stalledTransfers(this.parts.readStore, this.parts.clock());
  }
}
