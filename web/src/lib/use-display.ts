import { useSyncExternalStore } from 'react';
import { currentDisplay, onDisplay, type Display } from './display';

/** The way that things are written now, for what has to be drawn again when that changes. */
export function useDisplay(): Display {
  return useSyncExternalStore(onDisplay, currentDisplay);
}
