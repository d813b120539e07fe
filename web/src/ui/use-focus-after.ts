import { useEffect, useRef } from 'react';
import { isFocusLost } from './use-focus-back';

/**
 * For a button that asks for something which has the focus while it is there: the button takes the focus back after that.
 * Where somebody `canLeave` for another part of the page meanwhile, only a focus that nothing has any more.
 */
export function useFocusAfter(isThere: boolean, canLeave = false) {
  const button = useRef<HTMLButtonElement>(null);
  const wasThere = useRef(isThere);
  useEffect(() => {
    if (wasThere.current && !isThere && (isFocusLost() || !canLeave)) button.current?.focus();
    wasThere.current = isThere;
  }, [isThere, canLeave]);
  return button;
}
