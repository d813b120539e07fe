/** Remembers that a reader has no use for shortcuts of one key alone, as people who speak to their computer may. */
const WITHOUT_ITEM = 'lode-no-single-keys';

/** Whether keys that work alone do something in this browser. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(WITHOUT_ITEM) === null;
}

/** Switches them on or off in this browser. */
export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(WITHOUT_ITEM);
  else localStorage.setItem(WITHOUT_ITEM, 'yes');
}

/** True for a key that is pressed alone, outside of fields, where such keys are not switched off. */
export function isSingleKey({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isTyping =
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null;
  return !ctrlKey && !metaKey && !altKey && !isTyping && hasSingleKeys();
}
