import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from './axe.js';

/** Where pictures of every screen go when somebody wants to look at them. */
const pictures = process.env['LODE_PICTURES'];

const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const schemes = ['light', 'dark'] as const;
/**
 * Each size and each scheme once, since a run of the tests would take minutes more with all four; every one of them is there for
 * who wants pictures, and in the check of every screen.
 */
const schemesAt = (size: string) =>
  pictures !== undefined ? schemes : schemes.filter((scheme) => (size === 'desk') === (scheme === 'light'));

/**
 * Looks at a page as it stands, on a desk in light and on a phone in dark: axe finds nothing, and nothing is wider than the
 * window. Leaves it on a desk, light.
 */
export async function lookAt(page: Page, screen: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of schemesAt(size)) {
      await page.emulateMedia({ colorScheme });
      if (pictures !== undefined) {
        await page.evaluate('scrollTo(0, 0)');
        mkdirSync(pictures, { recursive: true });
        const path = join(pictures, `${screen}-${size}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
      const where = `${screen}, ${size}, ${colorScheme}`;
      expect([where, await accessibilityViolations(page)]).toEqual([where, []]);
    }
    const [width, window] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, innerWidth]',
    );
    expect([screen, size, width > window]).toEqual([screen, size, false]);
  }
  await page.setViewportSize(sizes.desk);
  await page.emulateMedia({ colorScheme: 'light' });
}
