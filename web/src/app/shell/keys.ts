/** Remembers that a reader has no use for shortcuts of one key alone, as people who speak to their computer may. */
const WITHOUT_ITEM = 'lode-no-single-keys';

/** Whether `?` opens the list of shortcuts in this browser. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(WITHOUT_ITEM) === null;
}

/** Switches `?` on or off in this browser. */
export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(WITHOUT_ITEM);
  else localStorage.setItem(WITHOUT_ITEM, 'yes');
}

const isMac = /Mac/.test(navigator.userAgent);

/** The keys of the palette, as they are written on this machine's keyboard, and as assistive technology is told of them. */
export const paletteKeys = isMac
  ? ({ shown: '⌘ K', told: 'Meta+K' } as const)
  : ({ shown: 'Ctrl K', told: 'Control+K' } as const);

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isHeld = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === 'k';
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

/** What a key pressed somewhere on the page asks for. */
export function toolFor(event: KeyboardEvent): 'palette' | 'shortcuts' | undefined {
  if (isPaletteKey(event)) return 'palette';
  const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey;
  return event.key === '?' && isAlone && !isTyping(event) && hasSingleKeys() ? 'shortcuts' : undefined;
}
