import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Every rule, or those alone that another scheme of colours has any part in. */
const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  colors: ['color-contrast'],
} as const;

/** Runs axe in the page, and gives of all that it looked at what it found wrong alone: the rest is far more than the page is. */
const run = (rules: readonly string[]) => `axe
  .run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'], selectors: false })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + (nodes[0]?.html ?? '')))`;

/**
 * What WCAG 2.2 A and AA find wrong with the page as it stands: rule and first element, empty when nothing is. `colors` is for a
 * page that was looked at in another scheme before, and takes a fraction of the time.
 */
export async function accessibilityViolations(
  page: Page,
  rules: keyof typeof RULES = 'all',
): Promise<readonly string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(source);
  return page.evaluate<readonly string[]>(run(RULES[rules]));
}
