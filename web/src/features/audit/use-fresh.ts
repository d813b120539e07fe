import { useEffect, useState } from 'react';
import { useFreshEventsQuery } from './api';
import type { EventFilter } from './filter';

/** As many new events are counted; the live stream doesn't tell of every kind, so they are looked for besides. */
const COUNTED_MAX = 50;
const LOOK_MS = 15_000;

/** How many events came since the list was last let grow, as text; empty for none. `letIn` counts from now on. */
export function useFresh(filter: EventFilter) {
  const identity = JSON.stringify(filter);
  const [seen, setSeen] = useState<{ identity: string; first: string | undefined }>();
  const { currentData } = useFreshEventsQuery(
    { ...filter, limit: COUNTED_MAX },
    { pollingInterval: LOOK_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  const ids = currentData?.items.map(({ id }) => id);
  const first = ids?.[0];
  const isSeen = seen?.identity === identity;
  useEffect(() => {
    if (!isSeen && ids !== undefined) setSeen({ identity, first });
  }, [isSeen, ids, identity, first]);
  const at = isSeen && ids !== undefined ? ids.indexOf(seen.first ?? '') : 0;
  const count = at < 0 ? (ids?.length ?? 0) : at;
  return {
    fresh: count === 0 ? '' : `${count}${count >= COUNTED_MAX ? '+' : ''}`,
    letIn: () => setSeen({ identity, first }),
  };
}
