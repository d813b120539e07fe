import { formatDecimal, PRICE_SCALE, type Prices } from '#ledger';

const ONE = 10n ** BigInt(PRICE_SCALE);

/** The prices in force: US dollars for one unit. They are 1 until an admin sets them. */
export function pricesInForce(): Prices {
  return { BTC: ONE, PI: ONE, USDT: ONE };
}

/** The prices as decimal texts. */
export function pricesAsText(prices: Prices): { BTC: string; PI: string; USDT: string } {
  const text = (price: bigint) => formatDecimal(price, PRICE_SCALE);
  return { BTC: text(prices.BTC), PI: text(prices.PI), USDT: text(prices.USDT) };
}
