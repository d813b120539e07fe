/** Brings a screen about and takes its pictures. */
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

/** The window as it is, or the whole page: what stands at the window's edge stands at the page's then. */
async function picture(page, viewport, isWindow, path) {
  const height = isWindow ? viewport.height : await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...viewport, height: Math.max(height, viewport.height) });
  await page.screenshot({ path });
  await page.setViewportSize(viewport);
}

/** The pictures of one screen at each size and theme, in a folder; gives what is wrong with it. */
export async function take(screen, person, kit, folder) {
  const { name, sizes = Object.keys(SIZES), isAgain = sizes.length < 2, isWindow, fails, breaks } = screen;
  const { page, complaints } = person;
  const known = complaints.length;
  const faults = [];
  try {
    for (const size of sizes) {
      await page.setViewportSize(isAgain ? SIZES[size] : SIZES.desk);
      if (isAgain || size === sizes[0]) faults.push(...(await bringAbout(screen, person, kit)));
      if (isAgain) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.setViewportSize(SIZES[size]);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await picture(page, SIZES[size], isWindow, join(folder, `${name}-${size}-${colorScheme}.png`));
        const violations = await accessibilityViolations(page);
        faults.push(...violations.map((violation) => `${size}, ${colorScheme}: ${violation}`));
      }
      const found = await page.evaluate(faultsIn, size === 'phone');
      faults.push(...found.map((fault) => `${size}: ${fault}`));
    }
  } finally {
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
