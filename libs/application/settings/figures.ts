import { contentInForce, type Figures } from '#contracts';
import { readCounters, type CounterParts } from './counters.js';
import type { SettingsInForce } from './in-force.js';
import { readPriceChanges } from './price-changes.js';
import { pricesAsText } from './texts.js';
import { Query } from '../message.js';

/** What the public site shows in figures. A price that nobody has set is not one. */
export class GetFigures extends Query<Figures> {}

export class GetFiguresHandler {
  constructor(
    private readonly parts: CounterParts,
    private readonly settings: SettingsInForce,
  ) {}

  async execute(): Promise<Figures> {
    const { readStore, clock } = this.parts;
    const { content: stored, prices } = await this.settings.current();
    const { company, widget } = contentInForce(stored);
    const { counters, position } = await readCounters(this.parts, company.since);
    const changeOf = await readPriceChanges(readStore, ['BTC', 'LTC']);
    const set = (currency: 'BTC' | 'LTC', inForce: string | null) => {
      const { price, setAt } = changeOf(currency, inForce);
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
