import { isSingleKey } from '../../lib';

const isMac = /Mac/.test(navigator.userAgent);

/** The keys of the palette, as they are written on this machine's keyboard, and as assistive technology is told of them. */
export const paletteKeys = isMac
  ? ({ shown: '⌘ K', told: 'Meta+K' } as const)
  : ({ shown: 'Ctrl K', told: 'Control+K' } as const);

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isHeld = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === 'k';
}

/** What a key pressed somewhere on the page asks for. */
export function toolFor(event: KeyboardEvent): 'palette' | 'shortcuts' | undefined {
  if (isPaletteKey(event)) return 'palette';
  return event.key === '?' && isSingleKey(event) ? 'shortcuts' : undefined;
}
