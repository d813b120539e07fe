import { priceId, type SettingsDocument } from '#projections';
import type { ReadStore } from '#read-store';

/** What read models know of a currency's price: the last one that was set, and when; undefined where none was. */
export type PriceChange = { readonly price: string | null; readonly setAt: string | undefined };

/**
 * Asks when prices were set. The price and its time are of one document; one from before it kept its price tells of that
 * `inForce`. What it gives tells of one currency.
 */
export async function readPriceChanges(
  readStore: Pick<ReadStore, 'getMany'>,
  currencies: readonly string[],
): Promise<(currency: string, inForce: string | null) => PriceChange> {
  const documents = await readStore.getMany<SettingsDocument>('settings', currencies.map(priceId));
  return (currency, inForce) => {
    const { at: setAt, price = inForce } = documents.find(({ id }) => id === priceId(currency)) ?? {};
    return { price, setAt };
  };
}
