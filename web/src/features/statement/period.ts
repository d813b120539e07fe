import { scales, type Currency } from '#contracts';
import { currentDisplay } from '../../lib';

/** A period of calendar days, both included, in a time zone, and the currency it is asked for. */
export type StatementView = {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly currency: Currency;
  readonly cursor: string | undefined;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The date of an instant in a time zone, and the time of day: `2026-01-31` and `14:05`. */
function partsIn(instant: Date, timeZone: string): readonly [date: string, time: string] {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = new Map<string, string>();
  for (const { type, value } of format.formatToParts(instant)) parts.set(type, value);
  const text = (names: readonly string[], between: string) =>
    names.map((name) => parts.get(name)).join(between);
  return [text(['year', 'month', 'day'], '-'), text(['hour', 'minute'], ':')];
}

/** An instant as `YYYY-MM-DD HH:mm` in a time zone. */
export function timeIn(iso: string, timeZone: string): string {
  return partsIn(new Date(iso), timeZone).join(' ');
}

/** The time zones to choose from: UTC, the account's and this device's. */
export function zonesFor(zone: string): readonly string[] {
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set(['UTC', currentDisplay().timeZone, device, zone])];
}

function isZone(zone: string): boolean {
  try {
    return /^[A-Za-z]/.test(zone) && partsIn(new Date(0), zone).length > 0;
  } catch {
    return false;
  }
}

/** The last day of the month that a day is in, `months` earlier. */
function monthOf(day: string, months: number): { readonly from: string; readonly to: string } {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const dayOf = (date: number) => new Date(date).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return { from: dayOf(Date.UTC(year, month - 1 - months, 1)), to: dayOf(Date.UTC(year, month - months, 0)) };
}

/** The periods that are one press away, as of now. */
export function presetsAt(now: number, zone: string) {
  const [today] = partsIn(new Date(now), zone);
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
  const zone = isZone(asked('zone')) ? asked('zone') : currentDisplay().timeZone;
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

function isCurrency(text: string): text is Currency {
  return Object.hasOwn(scales, text);
}

/** The address of another statement, which begins at its first page. */
export function withView(search: URLSearchParams, changes: Partial<StatementView>): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('cursor');
  for (const [name, value] of Object.entries(changes)) if (value !== undefined) next.set(name, value);
  return next;
}
