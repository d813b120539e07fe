/** Brings a screen about and takes its pictures. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessibilityViolations } from '../../dist/web/e2e/axe.js';
import { faultsIn } from './faults.mjs';
import { SIZES } from './people.mjs';

const THEMES = ['light', 'dark'];

/** The pictures that a screen has, by the names of their files. */
export function picturesOf({ name, sizes = Object.keys(SIZES) }) {
  return sizes.flatMap((size) => THEMES.map((theme) => `${name}-${size}-${theme}.png`));
}

/** What of a page is still on its way. */
export const coming = (page) => page.locator('.skeleton, [aria-busy="true"]').first();

/** Waits until nothing on a page is still coming, not even the picture of whoever has one. */
export async function settled(page, hasPicture) {
  await page.waitForLoadState('load');
  await page.locator('main').first().waitFor();
  // A screen whose script is still on its way has no title, and nothing that says that it comes.
  await page.locator('h1').filter({ hasText: /\S/ }).first().waitFor({ state: 'attached' });
  await coming(page).waitFor({ state: 'detached' });
  if (hasPicture) await page.locator('header img').first().waitFor();
  await page.evaluate('document.fonts.ready.then(() => true)');
}

/** Keeps what says that something was done from going by itself. */
function keepToasts() {
  for (const bar of globalThis.document.querySelectorAll('.Toastify__progress-bar'))
    bar.style.animationPlayState = 'paused';
  globalThis.dispatchEvent(new globalThis.Event('blur'));
}

/** Brings a screen about; gives what is wrong with how it was answered. */
async function bringAbout(screen, { page, userId, hasPicture }, kit) {
  const { path, before, act, shown, isComing, isNowhere, isBare } = screen;
  const given = { page, ...kit };
  await before?.(given);
  const response = await page.goto(path.replace(':userId', userId));
  if (!isComing && !isBare) await settled(page, hasPicture);
  await act?.(given);
  if (shown !== undefined) await shown(page).waitFor();
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.evaluate(keepToasts);
  const status = response?.status() ?? 200;
  const faults = (isNowhere === true ? status === 404 : status < 400) ? [] : [`${path} answers ${status}`];
  const title = await page.evaluate(`document.querySelector('h1')?.textContent ?? ''`);
  if (shown === undefined && title === 'Not open to you') faults.push(`${path} is not open to who looks`);
  return faults;
}

/** Waits for images that come only once they are near the window. */
function nearImages(images) {
  const come = (image) =>
    new Promise((resolve) => {
      image.addEventListener('load', resolve);
      image.addEventListener('error', resolve);
    });
  return Promise.all(images.filter(({ complete }) => !complete).map(come)).then(() => undefined);
}

/**
 * The window as it is, or the whole page: what stands at the window's edge stands at the page's then. Asked of Chromium itself,
 * since Playwright has every picture made as small as it can be, which takes longer than all else about it.
 */
async function picture(page, chromium, viewport, isWindow, path) {
  const height = isWindow ? viewport.height : await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...viewport, height: Math.max(height, viewport.height) });
  if (!isWindow) await page.locator('img[loading="lazy"]').evaluateAll(nearImages);
  const { data } = await chromium.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  await writeFile(path, Buffer.from(data, 'base64'));
  await page.setViewportSize(viewport);
}

/** Looks at one screen at each size and theme, and takes its pictures where they are wanted; gives what is wrong with it. */
export async function take(screen, person, kit, { folder, hasPictures }) {
  const { name, sizes = Object.keys(SIZES), isAgain = sizes.length < 2, isWindow, fails, breaks } = screen;
  const { page, complaints } = person;
  const known = complaints.length;
  const faults = [];
  const chromium = await page.context().newCDPSession(page);
  try {
    for (const size of sizes) {
      await page.setViewportSize(isAgain ? SIZES[size] : SIZES.desk);
      if (isAgain || size === sizes[0]) faults.push(...(await bringAbout(screen, person, kit)));
      if (isAgain) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.setViewportSize(SIZES[size]);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        const file = join(folder, `${name}-${size}-${colorScheme}.png`);
        if (hasPictures) await picture(page, chromium, SIZES[size], isWindow, file);
        const rules = colorScheme === THEMES[0] ? 'all' : 'colors';
        const violations = await accessibilityViolations(page, rules);
        faults.push(...violations.map((violation) => `${size}, ${colorScheme}: ${violation}`));
      }
      const found = await page.evaluate(faultsIn, size === 'phone');
      faults.push(...found.map((fault) => `${size}: ${fault}`));
    }
  } finally {
    await chromium.detach();
    // What a page would still do later is not done in the next one.
    await page.goto('about:blank');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().setOffline(false);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  const said = complaints.slice(known);
  if (!breaks) faults.push(...said.filter((line) => !(fails && line.endsWith('answers 503'))));
  return [...new Set(faults)];
}
