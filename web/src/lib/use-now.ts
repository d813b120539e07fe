import { useEffect, useState } from 'react';

/** Ages are shown in minutes, so once in half of one is often enough. */
const TICK_MS = 30_000;

/** The time in milliseconds, renewed twice a minute while the page is looked at. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const tick = setInterval(() => {
      if (document.visibilityState === 'visible') setNow(Date.now());
    }, TICK_MS);
    return () => clearInterval(tick);
  }, []);
  return now;
}
