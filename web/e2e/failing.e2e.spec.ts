import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { routes } from '#contracts';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { failed, handled, refusal, type Called } from './failures.js';
import { fund, newPerson, PASSWORD, PDF, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

if (chromiumPath === undefined)
  console.warn('not run: a service that fails in a browser (no Chromium here; set CHROMIUM)');

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const PIN = '4711';
const RECEIPT = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from(PDF) };

/** What it answers to the password of somebody who has no account, which only damage brings about. */
const NO_ACCOUNT = 'User data not found. Please contact admin.';
const withoutAccount = refusal(403, 'account_not_found', NO_ACCOUNT);

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('a customer whose service fails', () => {
  let program: Program;
  let browser: Browser;
  let bola: Person;
  /** The account number of somebody who is suspended. */
  let unusable: string;
  let page: Page;
  let context: BrowserContext;
  let complaints: Complaints;
  beforeAll(async () => {
    program = await startProgram();
    const admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    bola = await newPerson(program, ['Bola', 'Adeyemi']);
    await fund(admin, bola, '900', 'USDT');
    await bola.get('setTransferPin', { body: { pin: PIN, password: PASSWORD } });
    const cora = await newPerson(program, ['Cora', 'Bello']);
    unusable = (await cora.get('me')).accountNumber;
    await admin.get('suspend', { params: { userId: cora.userId }, body: { reason: 'Asked for' } });
    browser = await launch(chromiumPath ?? '');
    ({ page, context, complaints } = await person(browser, { baseURL: program.address }));
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const fails = (route: Called) => handled(context, route, (call) => call.fulfill(failed));

  /** Sends a form whose route fails, then once more when it works again. */
  async function sendTwice(route: Called, button: string, refusal: string, done: string): Promise<void> {
    const works = await fails(route);
    await press(button);
    await said(page, refusal);
    await works();
    await press(button);
    await said(page, done);
  }

  test('is told of an account that is not there', async () => {
    await page.goto('/login');
    const works = await handled(context, routes.signIn, (call) => call.fulfill(withoutAccount));
    await page.getByLabel('E-mail').fill(bola.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press('Login');
    await said(page, NO_ACCOUNT);
    await works();
  });

  test('is told of a sign-in that succeeded, before the wallet is there', async () => {
    await page.goto('/login');
    // A page that is about to be left can't be waited for: it keeps what it told.
    await page.evaluate(`new MutationObserver(() => {
      const told = document.querySelector('.told[data-kind=done]');
      if (told !== null) sessionStorage.setItem('told', told.textContent);
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
    await page.getByLabel('E-mail').fill(bola.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press('Login');
    await page.waitForURL('**/auth/dashboard');
    expect(await page.evaluate(`sessionStorage.getItem('told')`)).toBe('Login successful');
  });

  test('is told that a fund request was not taken, keeps it, and can send it once it works again', async () => {
    await page.goto('/auth/fund-account/dashboard');
    await page.getByLabel('Amount, USD').fill('120');
    await press('Submit request');
    await said(page, 'Please enter a valid upload payment evidence.');
    await page.getByLabel('Payment evidence').setInputFiles(RECEIPT);
    const works = await fails(routes.requestFunding);
    await press('Submit request');
    await said(page, 'There was an error submitting your request. Please try again.');
    expect(await page.getByLabel('Amount, USD').inputValue()).toBe('120');
    await works();
    await press('Submit request');
    await said(page, 'Your request has been submitted successfully!');
  });

  test('is told that a wallet address was not saved', async () => {
    await page.goto('/auth/withdrawal-request/dashboard');
    await page.getByRole('radio', { name: /^USDT/ }).check();
    await page.getByLabel('Wallet address').fill(ADDRESS);
    await page.getByLabel('Your password').fill(PASSWORD);
    await sendTwice(
      routes.saveWalletAddress,
      'Save address',
      'Error updating wallet address. Try again.',
      'wallet address updated',
    );
  });

  test('is told that a number could not be looked up, and that a transfer was not sent', async () => {
    await page.goto('/auth/transfer/dashboard');
    const looksUp = await fails(routes.accountHolder);
    await page.getByLabel('Account number').fill('9900000001');
    await said(page, 'Error fetching account information.');
    await looksUp();
    await page.getByLabel('Account number').fill('9900000002');
    await said(page, 'No user found with this account number.');
    await page.getByLabel('Account number').fill(unusable);
    await said(page, 'User data is incomplete.');
    await page.getByLabel('Account number').fill('9900000002');
    await said(page, 'No user found with this account number.');
    await page.getByLabel('Account name').fill('Ada Obi');
    await page.getByLabel('Bank name').fill('First Bank');
    await page.getByRole('radio', { name: /^USDT/ }).check();
    await page.getByLabel('Amount, USD').fill('75');
    await page.getByLabel('Narration').fill('Rent');
    await page.getByLabel('Transfer pin').fill(PIN);
    await sendTwice(
      routes.requestTransfer,
      'Submit transfer',
      'Failed to submit transfer. Please try again.',
      'Transfer submitted successfully!',
    );
  });

  test('is told that settings were not saved, and that a session could not be ended', async () => {
    await page.goto('/auth/account-setting/dashboard');
    await page.getByLabel('Phone').fill('+234 800 222 222');
    await sendTwice(
      routes.changeProfile,
      'Save profile',
      'Failed to update user info.',
      'User info updated successfully!',
    );

    const changes = await fails(routes.changePassword);
    await page.getByLabel('Old password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('battery horse correct');
    await page.getByLabel('Confirm new password').fill('battery horse correct');
    await press('Change password');
    await said(page, 'Failed to reset password.');
    await changes();

    const ends = await handled(context, routes.endOtherSessions, (call) => call.abort());
    await press('Sign out everywhere else');
    await said(page, 'Something went wrong.');
    await ends();
    await press('Sign out everywhere else');
    await said(page, 'Signed out everywhere else');
  });

  test('is told while wallets are loaded, and when they could not be', async () => {
    const { promise: isTold, resolve: letOn } = Promise.withResolvers<undefined>();
    const answers = await handled(context, routes.account, async (call) => {
      await isTold;
      await call.fulfill(failed);
    });
    await page.goto(`/auth/assets/${bola.userId}`);
    await said(page, 'Loading wallet data...');
    letOn(undefined);
    await said(page, 'Error loading wallet data');
    await answers();
    await press('Retry');
    await page.getByRole('button', { name: /USDT/ }).first().waitFor();
  });

  test('has pages that complain of nothing', () => {
    expect(complaints).toEqual([]);
  });
});
