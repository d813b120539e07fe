import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { contentInForce, type Figures } from '#contracts';
import { priceId, type SettingsDocument } from '#projections';
import { readCounters, type CounterParts } from './counters.js';
import type { SettingsInForce } from './in-force.js';
import { pricesAsText } from './texts.js';

/** What the public site shows in figures. A price that nobody has set is not one. */
export class GetFigures extends Query<Figures> {}

@QueryHandler(GetFigures)
export class GetFiguresHandler implements IQueryHandler<GetFigures> {
  constructor(
    private readonly parts: CounterParts,
    private readonly settings: SettingsInForce,
  ) {}

  async execute(): Promise<Figures> {
    const { readStore, clock } = this.parts;
    const { content: stored, prices } = await this.settings.current();
    const { company, widget } = contentInForce(stored);
    const { counters, position } = await readCounters(this.parts, company.since);
    const changes = await readStore.getMany<SettingsDocument>('settings', [priceId('BTC'), priceId('LTC')]);
    // The price and its time are of one document. One from before it kept its price has that of the settings in force.
    const set = (currency: 'BTC' | 'LTC', inForce: string | null) => {
      const { at: setAt, price = inForce } = changes.find(({ id }) => id === priceId(currency)) ?? {};
      return price === null || price === '' || setAt === undefined ? null : { price, setAt };
    };
    return {
      counters,
      prices: { BTC: set('BTC', pricesAsText(prices).BTC), LTC: set('LTC', widget.ltcPrice) },
      position,
      at: new Date(clock()).toISOString(),
    };
  }
}
