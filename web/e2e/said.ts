import type { Page } from 'playwright-core';

/** What is used of an element of the page; the types of a browser are not among those of tests. */
type Found = { closest(selector: string): { setAttribute(name: string, value: string): void } | null };

/** The toasts that no call of `said` has read yet. */
const UNREAD = ':not([data-read], [data-read] *)';

/**
 * Waits until a page says something, in a toast or elsewhere. Each toast counts once: what an earlier action had the page say is
 * not taken for the outcome of a later one.
 */
export async function said(page: Page, words: string | RegExp): Promise<void> {
  const place = page.getByText(words).filter({ visible: true }).and(page.locator(UNREAD)).first();
  // In one step, since a toast may go between two.
  await place.evaluate((element: Found) =>
    element.closest('.Toastify__toast')?.setAttribute('data-read', ''),
  );
}
