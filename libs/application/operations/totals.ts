import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { totals, type Totals } from '#contracts';
import { noTotals, TOTALS_ID, withEverySum, type TotalsDocument } from '#projections';
import type { Ports } from '../ports.js';

/** Counts and sums over all customers. */
export class GetTotals extends Query<Totals> {}

@QueryHandler(GetTotals)
export class GetTotalsHandler implements IQueryHandler<GetTotals> {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  async execute(): Promise<Totals> {
    const document = await this.parts.readStore.get<TotalsDocument>('totals', TOTALS_ID);
    return totals.parse(document === undefined ? noTotals : withEverySum(document));
  }
}
