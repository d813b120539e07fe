import { isTimeZone, type Currency } from '#contracts';
import { currentDisplay, dayIn, isCurrency } from '../../lib';

/** A period of calendar days, both included, in a time zone, and the currency it is asked for. */
export type StatementView = {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly currency: Currency;
  readonly cursor: string | undefined;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The time zones to choose from: UTC, the account's and this device's. */
export function zonesFor(zone: string): readonly string[] {
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set(['UTC', currentDisplay().timeZone, device, zone])];
}

/** The last day of the month that a day is in, `months` earlier. */
function monthOf(day: string, months: number): { readonly from: string; readonly to: string } {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const dayOf = (date: number) => new Date(date).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return { from: dayOf(Date.UTC(year, month - 1 - months, 1)), to: dayOf(Date.UTC(year, month - months, 0)) };
}

/** The periods that are one press away, as of now. */
export function presetsAt(now: number, zone: string) {
  const today = dayIn(new Date(now).toISOString(), zone);
  const year = today.slice(0, 4);
  return [
    { name: 'This month', ...monthOf(today, 0) },
    { name: 'Last month', ...monthOf(today, 1) },
    { name: 'This year', from: `${year}-01-01`, to: `${year}-12-31` },
  ] as const;
}

/** The statement that an address asks for; what it leaves out or gets wrong is this month's, in the account's time zone and US dollars. */
export function viewOf(search: URLSearchParams, now: number): StatementView {
  const asked = (name: string) => search.get(name) ?? '';
  const zone = isTimeZone(asked('zone')) ? asked('zone') : currentDisplay().timeZone;
  const [month] = presetsAt(now, zone);
  const currency = asked('currency');
  return {
    from: DAY.test(asked('from')) ? asked('from') : month.from,
    to: DAY.test(asked('to')) ? asked('to') : month.to,
    zone,
    currency: isCurrency(currency) ? currency : 'USD',
    cursor: search.get('cursor') ?? undefined,
  };
}

/** The address of another statement, which begins at its first page. */
export function withView(search: URLSearchParams, changes: Partial<StatementView>): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('cursor');
  for (const [name, value] of Object.entries(changes)) if (value !== undefined) next.set(name, value);
  return next;
}
