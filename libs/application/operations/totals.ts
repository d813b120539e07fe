import { totals, type Totals } from '#contracts';
import { noTotals, TOTALS_ID, withEverySum, type TotalsDocument } from '#projections';
import type { Ports } from '../ports.js';
import { Query } from '../message.js';

/** Counts and sums over all customers. */
export class GetTotals extends Query<Totals> {}

export class GetTotalsHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  async execute(): Promise<Totals> {
    const document = await this.parts.readStore.get<TotalsDocument>('totals', TOTALS_ID);
    return totals.parse(document === undefined ? noTotals : withEverySum(document));
  }
}
