import { useEffect } from 'react';

/** Whether nothing has the focus: what had it is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/**
 * For what is there for a while and takes the focus: when it goes, the focus is where it was before it came, unless something
 * else took it. Called before anything of its own takes the focus.
 */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (isFocusLost() && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
}
