import { useSyncExternalStore } from 'react';

const CALM = '(prefers-reduced-motion: reduce)';

function subscribe(changed: () => void): () => void {
  const media = matchMedia(CALM);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/** True for whoever asked their system for no motion. */
export function useCalm(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(CALM).matches);
}
