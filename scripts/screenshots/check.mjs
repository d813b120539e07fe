/**
 * Takes a picture of every page that there is, on a desk and on a phone, light and dark, on the demonstration's data, and
 * fails when a screen has something that nobody should see: one that is missing, sideways scrolling, text that is cut off, a
 * target too small for a thumb, a row without something that it has on a desk, a toast over what it speaks of, a message in the
 * console or of the content policy, what axe finds wrong. The pages are those of the table that the server and the router go
 * by. `--states` takes every state that screens come to as well (`npm run states`). `--docs` makes the pictures of the
 * documentation as well, `--no-pictures` looks for faults alone, in half the time; names take those alone.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, freePort, READY, withBuilt } from '../lib/program.mjs';
import { root } from '../lib/toolchain.mjs';
import { picturesOf, settled, take } from './camera.mjs';
import { apiAt, everybody, PASSWORD, SIZES, SUSPENDED } from './people.mjs';
import { pages } from './pages.mjs';
import { states } from './states.mjs';

const isOfStates = process.argv.includes('--states');
const FOLDER = join(root, '.cache', isOfStates ? 'states' : 'screenshots');
const hasPictures = !process.argv.includes('--no-pictures');
const DOCS = join(root, 'docs', 'images');
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
  'admin-dashboard': { name: 'dashboard-admin', who: 'admin' },
  'admin-users': { name: 'users', who: 'admin' },
  'admin-person': { name: 'person', who: 'admin' },
  'admin-funds': { name: 'transactions-admin', who: 'admin' },
  'admin-projections': { name: 'projections', who: 'admin' },
  'audit-events': { name: 'events', who: 'admin' },
  'audit-travel': { name: 'travel', who: 'admin' },
  'audit-trial-balance': { name: 'trialBalance', who: 'admin' },
};
/** An example of BIP 173. */
const OTHER_ADDRESS = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3';

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

/** The pictures of the documentation: what fits a desk's window, or a part of a page, small. */
async function showInDocs(people, all) {
  const isWanted = ([picture]) => wanted.length === 0 || wanted.includes(picture);
  for (const [picture, { name, who = 'customer', part, prepare }] of Object.entries(SHOWN).filter(isWanted)) {
    const { page, userId } = people[who];
    // What stands at the window's edge would stand over a part.
    await page.setViewportSize(part === undefined ? SIZES.desk : { ...SIZES.desk, height: 4_000 });
    const { path, act } = all.find((one) => one.name === name && one.who === who);
    await page.goto(path.replace(':userId', userId));
    await settled(page, who === 'customer');
    await act?.({ page });
    await settled(page, who === 'customer');
    await prepare?.(page);
    await page.evaluate('scrollTo(0, 0)');
    const shown = part === undefined ? page : page.getByRole('form', { name: part, exact: true });
    await sharp(await shown.screenshot())
      .webp({ quality: 82 })
      .toFile(join(DOCS, `${picture}.webp`));
  }
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

/** Each load of a page takes a token, a screen is loaded twice at most, and a session has 64 tokens at a time. */
const SCREENS_PER_SESSION = 25;

/** Takes the pictures of what one person sees, one after the other; gives how many faults there are. */
async function takeOf(person, ofPerson, kit) {
  let count = 0;
  for (const [at, screen] of ofPerson.entries()) {
    if (at > 0 && at % SCREENS_PER_SESSION === 0) await person.signInAgain?.();
    for (const name of picturesOf(screen)) rmSync(join(FOLDER, name), { force: true });
    const faults = await take(screen, person, kit, { folder: FOLDER, hasPictures }).catch(({ message }) => [
      `no picture: ${message}`,
    ]);
    const missing = (hasPictures ? picturesOf(screen) : []).filter((name) => !existsSync(join(FOLDER, name)));
    faults.push(...missing.map((name) => `there is no ${name}`));
    const lines = faults.map((fault) => `        ${fault}`);
    console.log([`${faults.length === 0 ? 'ok' : 'FAILED'}  ${screen.name}`, ...lines].join('\n'));
    count += faults.length;
  }
  return count;
}

/** Takes the pictures of what the demonstration at an address shows. */
async function takeAll(address) {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const { items } = await (await fetch(`${address}/api/products`)).json();
    const people = await everybody(browser, address);
    const ofPages = pages(items[0].productName, people.customer.userId);
    const all = isOfStates ? [...ofPages, ...states] : ofPages;
    const api = apiAt(address);
    const kit = { numberOf: api.numberOf, suspend: () => api.suspend(SUSPENDED.email) };
    const twice = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) !== at);
    if (twice.length > 0) throw new Error(`More than one screen is called ${twice[0].name}.`);
    const isWanted = ({ name }) => wanted.length === 0 || wanted.includes(name);
    const counts = await Promise.all(
      Object.entries(people).map(([who, person]) =>
        takeOf(
          person,
          all.filter((screen) => screen.who === who && isWanted(screen)),
          kit,
        ),
      ),
    );
    if (process.argv.includes('--docs')) await showInDocs(people, ofPages);
    const seconds = Math.round(performance.now() / 1_000);
    const count = all.filter(isWanted).length;
    console.log(
      `${count} screens in ${seconds} s. ${hasPictures ? `Pictures are in ${FOLDER}.` : 'No pictures were asked for.'}`,
    );
    if (counts.some((count) => count > 0)) process.exitCode = 1;
  } finally {
    await browser.close();
  }
}

if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const env = {
  PATH: process.env.PATH,
  NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
  PORT: String(await freePort()),
};
await withBuilt('demo.js', env, [READY], takeAll);
