import { defaultDisplay, displayLanguages, isTimeZone, type DisplayPreferences } from '#contracts';

/** Where this browser remembers how things were shown last, so that the next page doesn't jump once the account is there. */
const DISPLAY_ITEM = 'lode-display';

export type Display = Pick<DisplayPreferences, 'language' | 'timeZone'>;

/** How instants, dates and amounts are written in this page: as the account says, never as the browser is set. */
const languages: ReadonlySet<unknown> = new Set(displayLanguages);
let display: Display = defaultDisplay;
const listeners = new Set<() => void>();

/** The way that things are written now. */
export function currentDisplay(): Display {
  return display;
}

/** Writes everything that is shown from now on another way; a zone that this browser doesn't know is UTC. */
export function setDisplay({ language, timeZone }: Display): void {
  const next = { language, timeZone: isTimeZone(timeZone) ? timeZone : defaultDisplay.timeZone };
  if (next.language === display.language && next.timeZone === display.timeZone) return;
  display = next;
  for (const listener of listeners) listener();
}

/** As `setDisplay`, and remembered for the next page of this browser. */
export function keepDisplay(chosen: Display): void {
  setDisplay(chosen);
  localStorage.setItem(DISPLAY_ITEM, JSON.stringify(display));
}

/** Takes up what `keepDisplay` remembered; anything else there is passed over. */
export function restoreDisplay(): void {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(DISPLAY_ITEM) ?? 'null');
    if (isDisplay(kept)) setDisplay(kept);
  } catch {
    localStorage.removeItem(DISPLAY_ITEM);
  }
}

function isDisplay(kept: unknown): kept is Display {
  if (typeof kept !== 'object' || kept === null || !('language' in kept) || !('timeZone' in kept))
    return false;
  return languages.has(kept.language) && typeof kept.timeZone === 'string';
}

/** Has `listener` called whenever they are written another way; what it gives ends that. */
export function onDisplay(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
