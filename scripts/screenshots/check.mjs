/**
 * Takes a picture of every page that there is, on a desk and on a phone, light and dark, on the demonstration's data, and
 * fails when a page has something that nobody should see: one that is missing, sideways scrolling, text that is cut off, a
 * target too small for a thumb, a row without status and date, a message in the console. The pages are those of the table
 * that the server and the router go by. `--docs` makes the pictures of the documentation as well; names take those alone.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { pagePaths, sitePaths } from '../../dist/libs/contracts/index.js';
import { findChromium, freePort, READY, withBuilt } from '../lib/program.mjs';
import { root } from '../lib/toolchain.mjs';
import { faultsIn } from './faults.mjs';

const FOLDER = join(root, '.cache', 'screenshots');
const DOCS = join(root, 'docs', 'images');
const PASSWORD = 'lode-demo';
const CUSTOMER = 'amara@lode.example';
const ADMIN = 'mary@lode.example';
const WAIT_MS = 30_000;
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const THEMES = ['light', 'dark'];
/** Pages of admins, by their name in the table of pages; some are customers' as well, and look otherwise to them. */
const OF_ADMINS = ['adminDashboard'];
const OF_BOTH = ['dashboard', 'transactions'];
/** Screens that are opened on a page, by its address or a button of that name. */
const OPENED = {
  why: { path: `${pagePaths.dashboard}?why=USDT` },
  notifications: { path: pagePaths.dashboard, press: /^Notifications/ },
};
/** What the documentation shows, by picture: a screen, or a part of one, after something was done there; each on a desk, in light. */
const SHOWN = {
  wallet: { name: 'why' },
  'guide-dashboard': { name: 'dashboard' },
  'guide-fund': { name: 'fund' },
  'guide-history': { name: 'transactions' },
  'guide-withdraw': { name: 'withdraw' },
  'guide-transfer': { name: 'transfer' },
  'guide-assets': { name: 'assets' },
  'guide-statement': { name: 'statement' },
  'guide-requests': { name: 'newRequest' },
  'guide-settings': { name: 'settings' },
  'guide-support': { name: 'support' },
  'guide-email': { name: 'settings', part: 'E-mail address' },
  'guide-second-factor': { name: 'settings', part: 'Confirm the second factor', prepare: beginSecondFactor },
  'guide-address': { name: 'settings', part: 'Where withdrawals go', prepare: saveAnotherAddress },
  // The bell tells of that address.
  'guide-notifications': { name: 'notifications' },
};
/** An example of BIP 173. */
const OTHER_ADDRESS = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3';

/** Every screen with who looks at it. */
function screens(product) {
  const rows = Object.entries(pagePaths).map(([name, path]) => ({
    name,
    path: path.replace(':productName', encodeURIComponent(product)),
    who: name in sitePaths ? 'visitor' : OF_ADMINS.includes(name) ? 'admin' : 'customer',
  }));
  const again = rows
    .filter(({ name }) => OF_BOTH.includes(name))
    .map((row) => ({ ...row, name: `${row.name}-admin`, who: 'admin' }));
  const opened = Object.entries(OPENED).map(([name, one]) => ({ name, ...one, who: 'customer' }));
  return [...rows, ...opened, ...again];
}

/** Somebody at a browser of their own, with everything that their page complains about. */
async function visit(browser, address, email) {
  const context = await browser.newContext({
    baseURL: address,
    viewport: SIZES.desk,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const complaints = [];
  page.on('pageerror', ({ message }) => complaints.push(`an error: ${message}`));
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.url()} answers ${response.status()}`);
  });
  page.on('console', (message) => {
    // A status of 400 and above that the page shows is no fault of it; the browser logs each.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(`in the console: ${message.text()}`);
  });
  if (email === undefined) return { page, complaints, userId: '' };
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/auth/dashboard**');
  await settled(page);
  return { page, complaints, userId: await page.evaluate(`localStorage.getItem('token')`) };
}

/** Waits until nothing on a page is still coming, not even the picture of whoever has one. */
async function settled(page, who) {
  await page.waitForLoadState('load');
  await page.locator('main').first().waitFor();
  await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
  if (who === 'customer') await page.locator('header img').first().waitFor();
  await page.evaluate('document.fonts.ready.then(() => true)');
}

/** Goes to a screen; gives the answer to its address. */
async function goTo({ path, press, who }, { page, userId }) {
  const answer = await page.goto(path.replace(':userId', userId));
  await settled(page, who);
  if (press !== undefined) {
    await page.getByRole('button', { name: press }).click();
    await page.getByRole('dialog').waitFor();
    await settled(page, who);
  }
  return answer;
}

/** Asks for a second factor, which nothing is changed by until a first code confirms it. */
async function beginSecondFactor(page) {
  const form = page.getByRole('form', { name: 'Set up a second factor' });
  await form.getByLabel('Your password').fill(PASSWORD);
  await form.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
}

/** Saves an address that waits until it is in force. */
async function saveAnotherAddress(page) {
  const form = page.getByRole('form', { name: 'Where withdrawals go' });
  await form.getByRole('textbox', { name: 'Wallet address' }).fill(OTHER_ADDRESS);
  await form.getByLabel('Your password').fill(PASSWORD);
  await form.getByRole('button', { name: 'Save address' }).click();
  await form.getByText('Another address waits').waitFor();
}

/** Pictures of one screen at each size and theme; gives what is wrong with it. */
async function take(screen, visitor) {
  const { name, path, who } = screen;
  const { page, complaints } = visitor;
  const known = complaints.length;
  const faults = [];
  await page.setViewportSize(SIZES.desk);
  const answer = await goTo(screen, visitor);
  if (answer.status() >= 400) faults.push(`${path} answers ${answer.status()}`);
  const title = await page.evaluate(`document.querySelector('h1')?.textContent ?? ''`);
  if (who !== 'visitor' && title === 'Not open to you') faults.push(`not open to the ${who}`);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await settled(page, who);
      // What stands at the window's edge stands at the page's then.
      const height = await page.evaluate('document.documentElement.scrollHeight');
      await page.setViewportSize({ ...viewport, height });
      await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`) });
      await page.setViewportSize(viewport);
    }
    const found = await page.evaluate(faultsIn, size === 'phone');
    faults.push(...found.map((fault) => `${size}: ${fault}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  faults.push(...complaints.slice(known));
  return faults;
}

/** The pictures of the documentation: what fits a desk's window, or a part of a page, small. */
async function showInDocs(customer, all) {
  const { page } = customer;
  const isWanted = ([picture]) => wanted.length === 0 || wanted.includes(picture);
  for (const [picture, { name, part, prepare }] of Object.entries(SHOWN).filter(isWanted)) {
    // What stands at the window's edge would stand over a part.
    await page.setViewportSize(part === undefined ? SIZES.desk : { ...SIZES.desk, height: 4_000 });
    const screen = all.find((one) => one.name === name && one.who === 'customer');
    await goTo(screen, customer);
    await prepare?.(page);
    await page.evaluate('scrollTo(0, 0)');
    const shown = part === undefined ? page : page.getByRole('form', { name: part, exact: true });
    await sharp(await shown.screenshot())
      .webp({ quality: 82 })
      .toFile(join(DOCS, `${picture}.webp`));
  }
}

const wanted = process.argv.slice(2).filter((argument) => argument !== '--docs');

/** Takes the pictures of what the demonstration at an address shows. */
async function takeAll(address) {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const { items } = await (await fetch(`${address}/api/products`)).json();
    const all = screens(items[0].productName);
    const people = {
      visitor: await visit(browser, address),
      customer: await visit(browser, address, CUSTOMER),
      admin: await visit(browser, address, ADMIN),
    };
    let count = 0;
    for (const screen of all) {
      if (wanted.length > 0 && !wanted.includes(screen.name)) continue;
      const faults = await take(screen, people[screen.who]).catch((error) => [
        `no picture: ${error.message}`,
      ]);
      console.log(`${faults.length === 0 ? 'ok' : 'FAILED'}  ${screen.name}`);
      for (const fault of faults) console.log(`        ${fault}`);
      count += faults.length;
    }
    if (process.argv.includes('--docs')) await showInDocs(people.customer, all);
    console.log(`Pictures are in ${FOLDER}.`);
    if (count > 0) process.exitCode = 1;
  } finally {
    await browser.close();
  }
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const env = {
  ...process.env,
  NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
  PORT: String(await freePort()),
};
await withBuilt('demo.js', env, [READY], takeAll);
