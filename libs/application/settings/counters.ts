import { contentInForce, type Counters } from '#contracts';
import { logStart, type Clock } from '#kernel';
import type { EventStore } from '#event-store';
import { TOTALS_ID, type TotalsDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import type { SettingsInForce } from './in-force.js';
import { Query } from '../message.js';

/** Below these a counter says nothing: a small number is not shown, and never a larger one in its place. */
export type CounterFloors = {
  readonly clients: number;
  readonly years: number;
  readonly requestsPaid: number;
};

const YEAR_MS = 365.25 * 24 * 60 * 60 * 1_000;

/** What the platform can say of itself in numbers; each is null below a floor. */
export class GetCounters extends Query<Counters> {}

export class GetCountersHandler {
  constructor(
    private readonly parts: CounterParts,
    private readonly settings: SettingsInForce,
  ) {}

  async execute(): Promise<Counters> {
    const { content } = await this.settings.current();
    return (await readCounters(this.parts, contentInForce(content).company.since)).counters;
  }
}

/** What counters are made of. */
export type CounterParts = {
  readonly readStore: ReadStoreReader;
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly counterFloors: CounterFloors;
};

/**
 * What the platform can say of itself in numbers, and the last event that they have: its customers, and the withdrawals
 * that it paid. The years count from `since`, the year that the operator gives, or else from the first event of the log; of
 * a year only its end is certain.
 */
export async function readCounters(
  { readStore, eventStore, clock, counterFloors: floors }: CounterParts,
  since: string | null,
): Promise<{ readonly counters: Counters; readonly position: string }> {
  const totals = await readStore.get<TotalsDocument>('totals', TOTALS_ID);
  const [first] = since === null ? await eventStore.readAll(logStart, 1) : [];
  const begun = since === null ? Date.parse(first?.at ?? '') : Date.UTC(Number(since), 11, 31);
  const years = Math.floor((clock() - begun) / YEAR_MS);
  const counters = {
    clients: shown(totals?.users ?? 0, floors.clients),
    years: shown(years, floors.years),
    requestsPaid: shown(totals?.paidWithdrawals ?? 0, floors.requestsPaid),
  };
  return { counters, position: totals?.position ?? logStart };
}

function shown(count: number, floor: number): number | null {
  return count >= floor ? count : null;
}
