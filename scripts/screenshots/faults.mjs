/**
 * What a person would find wrong with a page as it stands. It runs in the page, and so stands on nothing outside itself.
 * `isPhone` adds what only a thumb and a narrow window mind. What toasts speak of is what has the focus, and what whoever
 * drives the page marked with `data-used`.
 */
export function faultsIn(isPhone) {
  const THUMB = 44;
  /**
   * What a phone's rows may do without: the place in the list, how long ago what has a date was, what stands in another cell as
   * well, and where an event stands in the log and who was signed in by what, which whoever opens it sees.
   */
  const WITHOUT = ['S/N', 'Waiting', 'Seconds behind', 'Position', 'Stream', 'Rev.', 'Session'];
  const { document, getComputedStyle, innerWidth } = globalThis;
  const faults = [];
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    );
  };
  const named = (element) => {
    const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()} “${label.trim().replaceAll(/\s+/g, ' ').slice(0, 50)}”`;
  };
  const hasOwnText = (element) =>
    [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
  /** A link in a sentence is as high as its line. */
  const isInSentence = (element) =>
    getComputedStyle(element).display.startsWith('inline') &&
    element.parentElement !== null &&
    [...element.parentElement.childNodes].some(
      ({ nodeType, data }) => nodeType === 3 && data.trim().length > 1,
    );

  if (document.documentElement.scrollWidth > innerWidth) {
    faults.push(`it scrolls sideways: ${document.documentElement.scrollWidth} of ${innerWidth} px`);
  }
  for (const element of document.body.querySelectorAll('*')) {
    if (!hasOwnText(element) || !isShown(element)) continue;
    const { overflowX, textOverflow } = getComputedStyle(element);
    const isClipped = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
    if (isClipped && element.title === '' && (overflowX !== 'auto' || textOverflow === 'ellipsis')) {
      faults.push(`cut off: ${named(element)}`);
    }
  }
  const boxOf = (element) => element.getBoundingClientRect();
  const used = [...document.querySelectorAll('[data-used], :focus')].filter(isShown);
  for (const toast of document.querySelectorAll('.Toastify__toast')) {
    const over = boxOf(toast);
    const covered = used.find((element) => {
      const under = boxOf(element);
      return (
        under.left < over.right &&
        under.right > over.left &&
        under.top < over.bottom &&
        under.bottom > over.top
      );
    });
    if (covered !== undefined) faults.push(`a toast covers what it speaks of: ${named(covered)}`);
  }
  if (!isPhone) return faults;
  /** What is spread over all of what it is placed in is as large. */
  const spreadOver = (element) => {
    const { content, position, inset } = getComputedStyle(element, '::after');
    if (content === 'none' || position !== 'absolute' || inset !== '0px') return element;
    let over = element;
    while (getComputedStyle(over).position === 'static') over = over.parentElement;
    return over;
  };
  const targets =
    'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="radio"]';
  for (const element of document.body.querySelectorAll(targets)) {
    // A box that is drawn by its label is hit by it.
    const hit = element.matches('input[type="radio"], input[type="checkbox"], input[type="file"]')
      ? (element.closest('label') ?? element)
      : spreadOver(element);
    if (!isShown(element) || !isShown(hit) || isInSentence(element)) continue;
    const { width, height, top, left } = hit.getBoundingClientRect();
    // Skip links wait outside the window until they have the focus.
    if (top + height <= 0 || left + width <= 0) continue;
    if (width < THUMB - 0.5 || height < THUMB - 0.5) {
      faults.push(
        `too small for a thumb: ${named(element)}, ${Math.round(width)} × ${Math.round(height)} px`,
      );
    }
  }
  for (const table of document.body.querySelectorAll('table')) {
    // What is there to be heard alone, beside a drawing of it.
    if (table.closest('.visually-hidden') !== null) continue;
    const heads = [...table.querySelectorAll('thead th')].map(({ textContent }) => textContent.trim());
    for (const row of table.querySelectorAll('tbody tr')) {
      // What is still coming has no words yet.
      if (!isShown(row) || row.querySelector('.skeleton') !== null) continue;
      for (const [at, cell] of [...row.children].entries()) {
        const all = [cell, ...cell.querySelectorAll('*')];
        // What opens the row has its words in its name, and an arrow instead.
        const tells = all.filter((element) => hasOwnText(element) || element.matches('button, a'));
        if (tells.length > 0 && !WITHOUT.includes(heads[at]) && !tells.some(isShown))
          faults.push(`a row without its ${heads[at]}: ${named(row)}`);
      }
    }
  }
  return [...new Set(faults)];
}
