/**
 * A page of the site as a document that stands as it does once its scripts ran, and leads nowhere: what was a link is text, and nothing
 * in it can be pressed or filled in. Nothing of it runs or is loaded here.
 */
export function readDraft(html: string): Document {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const link of page.querySelectorAll('a[href]')) link.removeAttribute('href');
  for (const control of page.querySelectorAll('button, fieldset, textarea')) {
    control.removeAttribute('disabled');
    control.toggleAttribute('inert', true);
  }
  for (const slides of page.querySelectorAll('.slides')) slides.removeAttribute('hidden');
  for (const without of page.querySelectorAll('noscript')) without.remove();
  return page;
}

/** A document as the text that a frame takes. */
export function textOf(page: Document): string {
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

/**
 * Makes what is shown the same as another state of the same page, and leaves alone what is so already: it is neither loaded again nor
 * moved. Gives the first element that became another; undefined where none did.
 */
export function redraw(shown: Document, page: Document): Element | undefined {
  return replaced(shown.body, page.body);
}

function replaced(before: Element, after: Element): Element | undefined {
  if (before.isEqualNode(after)) return undefined;
  const pairs = pairsWithin(before, after);
  if (pairs === undefined) {
    before.replaceWith(after);
    return after;
  }
  return pairs.reduce<Element | undefined>((first, [old, next]) => {
    const changed = replaced(old, next);
    return first ?? changed;
  }, undefined);
}

type Pair = readonly [before: Element, after: Element];

/** The elements in two that differ only within those, side by side; undefined where they differ in more. */
function pairsWithin(before: Element, after: Element): readonly Pair[] | undefined {
  const [old, next] = [[...before.childNodes], [...after.childNodes]];
  if (old.length !== next.length || !before.cloneNode(false).isEqualNode(after.cloneNode(false)))
    return undefined;
  const pairs: Pair[] = [];
  for (const [at, one] of old.entries()) {
    const other = next[at];
    if (other === undefined) return undefined;
    if (isElement(one) && isElement(other)) pairs.push([one, other]);
    else if (!one.isEqualNode(other)) return undefined;
  }
  return pairs;
}

/** Also of nodes of another window, which have classes of their own. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}

/** The first place at which a page begins one of these texts, which are looked for in their order. */
export function placeOf(page: Document, texts: readonly string[]): Element | undefined {
  const ends = [...page.body.querySelectorAll('*')].filter(
    ({ childElementCount }) => childElementCount === 0,
  );
  for (const text of texts) {
    const found = ends.find(({ textContent }) => textContent.trim().startsWith(text));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Parts of the window that stay above what is brought into view, and that a thing in view begins in. */
const ABOVE = 0.25;
const IN_VIEW = 0.75;

/** Scrolls the window that an element is in, and no window around that, until it is seen where it begins. */
export function reveal(element: Element): void {
  const view = element.ownerDocument.defaultView;
  if (view === null) return;
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > view.innerHeight * IN_VIEW) view.scrollBy({ top: top - view.innerHeight * ABOVE });
}
