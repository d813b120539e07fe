import { useEffect } from 'react';

/**
 * For what is there for a while and takes the focus: when it goes, the focus is where it was before it came, unless something
 * else took it. Called before anything of its own takes the focus.
 */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
}
