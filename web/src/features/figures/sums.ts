import { formatMoney, type Currency, type DailySums } from '#contracts';

export type DailySum = DailySums['items'][number];
export type SumName = 'in' | 'out' | 'bonus' | 'byHand';

/** All days together. A sum over all people may be more than one account can hold, and so it is added up digit by digit. */
export function totalOf(days: readonly DailySum[], name: SumName, currency: Currency): string {
  return formatMoney(
    days.reduce((sum, day) => sum + minorOf(day[name]), 0n),
    currency,
  );
}

/** The largest of all days. */
export function mostOf(days: readonly DailySum[], name: SumName, currency: Currency): string {
  return formatMoney(
    days.reduce((most, day) => (minorOf(day[name]) > most ? minorOf(day[name]) : most), 0n),
    currency,
  );
}

function minorOf(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}
