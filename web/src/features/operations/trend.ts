import { useState } from 'react';
import type { ReadModelList } from '#contracts';

/** Answers that are remembered of each read model: ten minutes of them. */
const POINTS_MAX = 120;

/** Seconds that each read model was behind, by its name, the oldest first: as long as the page is open. */
export type Trend = Readonly<Record<string, readonly number[]>>;

/** A trend with one more answer. */
export function longer(trend: Trend, models: ReadModelList['models']): Trend {
  return Object.fromEntries(
    models.map(({ name, secondsBehind }) => [
      name,
      [...(trend[name] ?? []), secondsBehind].slice(-POINTS_MAX),
    ]),
  );
}

/** What the answers so far say of how far behind the read models were. */
export function useTrend(list: ReadModelList | undefined, answeredAt: number | undefined): Trend {
  const [kept, setKept] = useState<{ readonly at: number | undefined; readonly trend: Trend }>({
    at: undefined,
    trend: {},
  });
  if (list === undefined || answeredAt === kept.at) return kept.trend;
  const trend = longer(kept.trend, list.models);
  setKept({ at: answeredAt, trend });
  return trend;
}
