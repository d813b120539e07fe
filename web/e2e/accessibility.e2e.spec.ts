import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { adminPaths, pagePaths } from '#contracts';
import { adminAt } from './admin.js';
import { accessibilityViolations } from './axe.js';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { enterPassword, fund, newPerson, PASSWORD, requestFunding, type Person } from './people.js';
import { startProgram, type Program } from './program.js';

if (chromiumPath === undefined)
  console.warn('not run: accessibility of the main screens in a browser (no Chromium here; set CHROMIUM)');

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const inBrowser = chromiumPath === undefined ? describe.skip : describe;

type Role = 'visitor' | 'customer' | 'admin';
type Screen = readonly [role: Role, path: string];

const screens: readonly Screen[] = [
  ['visitor', pagePaths.site],
  ['visitor', pagePaths.about],
  ['visitor', pagePaths.login],
  ['visitor', pagePaths.register],
  ['visitor', pagePaths.contact],
  ['customer', pagePaths.dashboard],
  ['customer', pagePaths.fund],
  ['customer', pagePaths.withdraw],
  ['customer', pagePaths.transfer],
  ['customer', pagePaths.transactions],
  ['customer', pagePaths.withdrawalHistory],
  ['customer', pagePaths.settings],
  ['customer', pagePaths.statement],
  ['customer', pagePaths.history],
  ['admin', adminPaths.adminDashboard],
  ['admin', pagePaths.transactions],
  ['admin', pagePaths.withdrawalHistory],
  ['admin', adminPaths.users],
  ['admin', adminPaths.person],
  ['admin', adminPaths.approvals],
  ['admin', adminPaths.events],
  ['admin', adminPaths.activity],
  ['admin', adminPaths.trialBalance],
  ['admin', adminPaths.projections],
  ['admin', adminPaths.prices],
  ['admin', pagePaths.settings],
];

/** Each width with its themes; only colors depend on the theme, so that the second theme of a width needs these rules alone. */
const looks = [
  { width: 1440, height: 900, themes: { light: 'all', dark: 'colors' } },
  { width: 390, height: 844, themes: { dark: 'all' } },
] as const;

inBrowser('axe finds nothing in both themes, and nothing is wider than the window', () => {
  let program: Program;
  let browser: Browser;
  let amara: Person;
  const pages = new Map<Role, Page>();
  const complaints: Complaints[] = [];

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
    const mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    await fund(mary, amara, '1480', 'USDT');
    const proof = { password: PASSWORD };
    await amara.get('saveWalletAddress', {
      params: { userId: amara.userId },
      body: { walletAddress: ADDRESS, currency: 'USDT', proof },
    });
    await amara.get('setTransferPin', { body: { pin: '4711', password: PASSWORD } });
    await amara.get('requestWithdrawal', { body: { amount: '250', currency: 'USDT', proof } });
    await requestFunding(amara, '60', 'BTC');
    const options = { baseURL: program.address };
    const [visitor, customer] = [await person(browser, options), await person(browser, options)];
    await enterPassword(customer.page, amara.email);
    await customer.page.waitForURL('**/auth/dashboard');
    const admin = await adminAt(browser, program, mary);
    for (const [role, one] of Object.entries({ visitor, customer, admin })) {
      pages.set(role as Role, one.page);
      complaints.push(one.complaints);
    }
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  /** Waits until nothing on a page is loading. */
  async function settled(page: Page): Promise<void> {
    // A screen whose script is not there yet has no title, and nothing that is loading.
    await page.locator('h1').filter({ hasText: /\S/ }).first().waitFor({ state: 'attached' });
    await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
    await page.evaluate('document.fonts.ready.then(() => true)');
  }

  test.each(screens)('%s: %s', async (role, path) => {
    const page = pages.get(role);
    if (page === undefined) throw new Error(`no page for ${role}`);
    await page.setViewportSize(looks[0]);
    await page.emulateMedia({ colorScheme: 'light' });
    const answer = await page.goto(path.replace(':userId', amara.userId));
    expect(answer?.status()).toBe(200);
    await settled(page);
    expect(await page.getByRole('heading', { name: 'Not open to you' }).count()).toBe(0);
    for (const { themes, ...viewport } of looks) {
      await page.setViewportSize(viewport);
      for (const [colorScheme, rules] of Object.entries(themes)) {
        await page.emulateMedia({ colorScheme: colorScheme as 'light' | 'dark' });
        const look = `${viewport.width} px, ${colorScheme}`;
        expect([look, await accessibilityViolations(page, rules)]).toEqual([look, []]);
      }
      const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect([viewport.width, Math.max(0, excess)]).toEqual([viewport.width, 0]);
    }
  });

  test('no page reports an error or requests another host', () => {
    expect(complaints.flat()).toEqual([]);
  });
});
