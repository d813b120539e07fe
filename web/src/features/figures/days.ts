import { DAYS_MAX, type Currency } from '#contracts';
import { isCurrency } from '../../lib';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Days that are shown where the address names none. */
const DAYS = 14;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Days in UTC, both included, and the currency of the charts of money. */
export type FiguresView = { readonly from: string; readonly to: string; readonly currency: Currency };

/** The days that are one press away, as of now. */
export function presetsAt(now: number) {
  return [
    { name: '7 days', ...lastDays(7, now) },
    { name: '14 days', ...lastDays(DAYS, now) },
    { name: '30 days', ...lastDays(30, now) },
    { name: '90 days', ...lastDays(90, now) },
    { name: '1 year', ...lastDays(365, now) },
  ] as const;
}

/** So many days up to today. */
export function lastDays(days: number, now: number): Pick<FiguresView, 'from' | 'to'> {
  return { from: dayAt(now - (days - 1) * DAY_MS), to: dayAt(now) };
}

/** What an address asks for; what it leaves out or gets wrong is the last fourteen days, in US dollars. */
export function viewOf(search: URLSearchParams, now: number): FiguresView {
  const asked = (name: string) => search.get(name) ?? '';
  const usual = lastDays(DAYS, now);
  const currency = asked('currency');
  return {
    from: isDay(asked('from')) ? asked('from') : usual.from,
    to: isDay(asked('to')) ? asked('to') : usual.to,
    currency: isCurrency(currency) ? currency : 'USD',
  };
}

/** Why there are no sums of these days; undefined when there are. The service says the same. */
export function faultOf({ from, to }: Pick<FiguresView, 'from' | 'to'>): string | undefined {
  if (from > to) return 'The days can’t end before they begin.';
  return (Date.parse(to) - Date.parse(from)) / DAY_MS < DAYS_MAX
    ? undefined
    : `Choose at most ${DAYS_MAX} days.`;
}

/**
 * What stands under days that are drawn `step` pixels apart, so that no two are in each other's way: the number of the day, with
 * the month where that is another one than before.
 */
export function dayTicks(
  days: readonly string[],
  step: number,
): readonly { readonly day: string; readonly label: string }[] {
  const every = Math.max(1, Math.ceil(TICK / step));
  let before = '';
  return days
    .filter((_, n) => n % every === 0)
    .map((day) => {
      const [, month = '', date = ''] = day.split('-');
      const isNew = month !== before;
      before = month;
      return { day, label: isNew ? `${Number(date)} ${months[Number(month) - 1] ?? ''}` : `${Number(date)}` };
    });
}

/** Pixels that a day with its month takes. */
const TICK = 46;

function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text));
}

function dayAt(time: number): string {
  return new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
