import { useEffect, useState } from 'react';
import { ToastContainer } from 'react-toastify/unstyled';
import { TOASTS_TOP, topBeside } from './toast-place';

/** The product's way of showing toasts. */
const TOAST_MS = 5_000;
const TOAST_DRAG_PERCENT = 80;
const CONTROLS = 'button, a, input, select, textarea, summary, label';
const TOASTS = '.Toastify__toast-container';

/** The list of toasts, a live region. It stands beside what a toast speaks of: the control that was used last, with its form's button. */
export default function Toasts() {
  const [top, setTop] = useState(TOASTS_TOP);
  useEffect(() => {
    let used: Element | null = null;
    const note = ({ target }: Event) => {
      if (target instanceof Element && target.closest(TOASTS) === null) used = target.closest(CONTROLS);
    };
    const place = () => {
      const toasts = document.querySelector(TOASTS)?.getBoundingClientRect();
      const spokenOf = [
        used,
        document.activeElement?.closest(CONTROLS),
        used?.closest('form')?.querySelector('[type=submit]'),
      ];
      const boxes = spokenOf.flatMap((one) =>
        one?.isConnected === true ? [one.getBoundingClientRect()] : [],
      );
      if (toasts !== undefined) setTop(topBeside(toasts, boxes, window.innerHeight));
    };
    // A toast is there once the list has it; what it covers then is not seen yet.
    const list = document.querySelector('.Toastify');
    const changes = new MutationObserver(place);
    if (list !== null) changes.observe(list, { childList: true, subtree: true });
    const kinds = ['pointerdown', 'keydown'] as const;
    for (const kind of kinds) window.addEventListener(kind, note, true);
    return () => {
      changes.disconnect();
      for (const kind of kinds) window.removeEventListener(kind, note, true);
    };
  }, []);
  return (
    <ToastContainer
      position="top-right"
      autoClose={TOAST_MS}
      draggable
      draggablePercent={TOAST_DRAG_PERCENT}
      pauseOnHover
      pauseOnFocusLoss
      aria-label="Notifications"
      style={{ top }}
    />
  );
}
