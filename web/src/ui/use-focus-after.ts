import { useEffect, useRef } from 'react';

/** For a button that asks for something which has the focus while it is there: the button takes the focus back after that. */
export function useFocusAfter(isThere: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasThere = useRef(isThere);
  useEffect(() => {
    if (wasThere.current && !isThere) button.current?.focus();
    wasThere.current = isThere;
  }, [isThere]);
  return button;
}
