/** The wallet of a customer of the demonstration, in a Chromium of its own that Lighthouse can look into as well. */
import { chromium } from 'playwright-core';
import { pagePaths as paths } from '../../dist/libs/contracts/index.js';
import { findChromium, freePort, inFolder } from '../lib/program.mjs';
import { CUSTOMER, PASSWORD, SIZES } from '../screenshots/people.mjs';

const WAIT_MS = 30_000;
const SLOWER = 4;
/** Shorter events are counted with their interaction, but a browser does not tell how long they took. */
const TOLD_MS = 16;
const SHOWN = 8;

/** Runs `work` with a page where a customer is signed in, and the port that its browser is looked into by. */
export function withWallet(address, work) {
  return inFolder(async (folder) => {
    const port = await freePort();
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
      baseURL: address,
      viewport: SIZES.phone,
    });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_MS);
      await page.goto(paths.login);
      await page.getByLabel('E-mail').fill(CUSTOMER);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Login' }).click();
      await page.waitForURL(`**${paths.dashboard}**`);
      return await work(page, port);
    } finally {
      await context.close();
    }
  });
}

/** Remembers each event that takes part in an interaction. */
const REMEMBER = `
  globalThis.toldEvents = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, name, duration } of list.getEntries())
      if (interactionId > 0) toldEvents.push({ interactionId, name, duration, page: location.pathname });
  }).observe({ type: 'event', durationThreshold: ${TOLD_MS}, buffered: true });`;

const type = (label, words) => async (page) => {
  await page.getByLabel(label, { exact: true }).first().click();
  await page.keyboard.type(words);
};
const press = (role, name) => (page) =>
  page.getByRole(role, { name }).filter({ visible: true }).first().click();
/** Opens what comes over the page, and closes it again. */
const look = (opener, role) => async (page) => {
  await press('button', opener)(page);
  await page.getByRole(role).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole(role).first().waitFor({ state: 'detached' });
};
/** Goes to a screen by the palette, as whoever knows its name does; its title may be another. */
const go =
  (name, title = name) =>
  async (page) => {
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type(name);
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  };

/** A way through the wallet that changes nothing: menus, forms that are filled, lists that are filtered, dialogs. */
const WAY = [
  look(/^Notifications/, 'dialog'),
  look(/^Account of/, 'menu'),
  press('button', 'Menu'),
  press('button', 'Close menu'),
  go('Fund Account', 'Fund Wallet'),
  type('Amount, USD', '120.50'),
  press('button', 'Submit request'),
  press('link', 'Transfer'),
  type('Account number', '9900000001'),
  press('radio', 'International'),
  type('Bank name', 'First Bank'),
  press('link', 'Withdraw'),
  press('radio', /^USDT/),
  type('Amount, USD', '999999'),
  go('Funding History'),
  press('button', 'Add filter'),
  press('menuitem', /Pending/),
  press('button', /^Remove filter/),
  look(/^View request/, 'dialog'),
  go('Assets', 'Your Wallets'),
  go('Statement'),
  go('Account History'),
  async (page) => {
    await page.getByRole('slider').first().focus();
    for (let steps = 0; steps < 5; steps += 1) await page.keyboard.press('ArrowLeft');
  },
  go('Settings'),
  type('Phone', '0'),
  type('Old password', 'lode'),
  press('button', 'Change password'),
  go('Support'),
  type('Subject', 'Statement'),
  type('Message', 'Where do I find the statement of last year?'),
];

/** The interactions of a way through the wallet with a slow processor, in milliseconds until the next frame, slowest first. */
export async function interactionsOn(page) {
  await page.addInitScript(REMEMBER);
  await page.goto(paths.dashboard);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  for (const step of WAY) await step(page);
  const { told, count } = await page.evaluate(
    `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve({ told: toldEvents, count: performance.interactionCount }))))`,
  );
  await session.detach();
  if (!(count > 0)) throw new Error('This browser does not count interactions.');
  const slowest = new Map();
  for (const event of told)
    if ((slowest.get(event.interactionId)?.duration ?? 0) < event.duration)
      slowest.set(event.interactionId, event);
  const measured = [...slowest.values()].toSorted((a, b) => b.duration - a.duration);
  const p95 = measured[Math.floor(count * 0.05)]?.duration ?? TOLD_MS;
  return { count, p95, slowest: measured.slice(0, SHOWN) };
}
