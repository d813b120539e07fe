import type { DailySums } from '#contracts';
import { currencies, formatMoney, type Currency, type Minor } from '#ledger';
import { sumsId, type DailySumName, type DailySumsDocument } from '#projections';
import { idIndex, limits, type ReadStoreReader } from '#read-store';
import type { Ports } from '../ports.js';
import { Query } from '../message.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Characters of `2026-01-31`. */
const DAY = 10;

/** Days in UTC such as `2026-01-31`, from one to another with both of them. */
type DaysAsked = {
  readonly from: string;
  readonly to: string;
  /** All when left out. */
  readonly currency?: Currency | undefined;
};

/** What moved on each day of a stretch, and what was held at its end. The contract says how many days that may be. */
export class GetDailySums extends Query<DailySums> {
  constructor(readonly asked: DaysAsked) {
    super();
  }
}

export class GetDailySumsHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  execute({ asked }: GetDailySums): Promise<DailySums> {
    return readDailySums(this.parts.readStore, asked);
  }
}

/** The sums of each day of a stretch, oldest first; on a day without events nothing moved. */
export async function readDailySums(
  store: ReadStoreReader,
  { from, to, currency }: DaysAsked,
): Promise<DailySums> {
  // Asked for first: the sums have this event, and maybe some that came meanwhile.
  const { position } = await store.checkpoint('daily-sums');
  const days = daysBetween(from, to);
  const asked = currency === undefined ? currencies : [currency];
  const columns = await Promise.all(asked.map((one) => sumsOf(store, one, days)));
  return { from, to, position, items: days.flatMap((_, n) => columns.flatMap((column) => column[n] ?? [])) };
}

type Row = DailySums['items'][number];

async function sumsOf(
  store: ReadStoreReader,
  currency: Currency,
  days: readonly string[],
): Promise<readonly Row[]> {
  const [from = '', to = from] = [days[0], days.at(-1)];
  const [months, earlier, within] = await Promise.all([
    read(store, sumsId('month', currency, ''), sumsId('month', currency, from)),
    read(store, sumsId('day', currency, `${from.slice(0, -2)}01`), sumsId('day', currency, from)),
    // The end of a range is exclusive.
    read(store, sumsId('day', currency, from), `${sumsId('day', currency, to)}~`),
  ]);
  const byId = new Map(within.map((sums) => [sums.id, sums]));
  let held = [...months, ...earlier].reduce((sum, one) => sum + minorOf(one, 'held'), 0n);
  return days.map((day) => {
    const sums = byId.get(sumsId('day', currency, day));
    held += minorOf(sums, 'held');
    const moved = (name: DailySumName) => formatMoney(minorOf(sums, name), currency);
    return {
      day,
      currency,
      in: moved('in'),
      out: moved('out'),
      bonus: moved('bonus'),
      byHand: moved('byHand'),
      held: formatMoney(held, currency),
    };
  });
}

/** The sums with ids in a range: the days of a year and a day, or the months of 83 years. */
function read(store: ReadStoreReader, from: string, to: string): Promise<readonly DailySumsDocument[]> {
  const range = { index: idIndex, equals: {}, direction: 'ascending', limit: limits.page } as const;
  return store.list<DailySumsDocument>('daily-sums', { ...range, from, to });
}

function minorOf(sums: DailySumsDocument | undefined, name: DailySumName): Minor {
  return BigInt(sums?.[name] ?? '0');
}

/** Every day from one to another, with both of them. */
function daysBetween(from: string, to: string): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, n) =>
    new Date(first + n * DAY_MS).toISOString().slice(0, DAY),
  );
}
