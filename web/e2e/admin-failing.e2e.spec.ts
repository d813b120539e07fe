import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { routes } from '#contracts';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { doTwice, failed, handled, refusal, type Called } from './failures.js';
import { lookAt } from './look.js';
import {
  fund,
  newPerson,
  PASSWORD,
  PNG,
  requestFunding,
  type Person,
  leavePasswordToTest,
} from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

if (chromiumPath === undefined)
  console.warn('not run: a service that fails admins in a browser (no Chromium here; set CHROMIUM)');

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('an admin whose service fails', () => {
  let program: Program;
  let browser: Browser;
  let mary: Person;
  let amara: Person;
  let jonas: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: Complaints;

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
    mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    jonas = await newPerson(program, ['Jonas', 'Berg']);
    await fund(mary, amara, '500', 'USDT');
    await fund(mary, jonas, '50', 'USDT');
    for (const one of [amara, jonas])
      await one.get('setTransferPin', { body: { pin: '4711', password: PASSWORD } });
    const transfer = async (from: Person, to: Person, amount: string) => {
      const { accountNumber } = await to.get('me');
      const body = { transferType: 'local', accountNumber, amount, pin: '4711' };
      await from.get('requestTransfer', { body });
    };
    for (const amount of ['20', '30']) await transfer(amara, jonas, amount);
    await transfer(jonas, amara, '0.50');
    const proof = { password: PASSWORD };
    const params = { userId: jonas.userId };
    await jonas.get('saveWalletAddress', { params, body: { walletAddress: ADDRESS, proof } });
    await jonas.get('requestWithdrawal', { body: { amount: '40', currency: 'USDT', proof } });
    await requestFunding(amara, '41', 'BTC');
    ({ page, context, complaints } = await adminAt(browser, program, mary));
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  const fails = (route: Called, how = failed) => handled(context, route, (call) => call.fulfill(how));

  /** Whether these requests are listed, and no others. */
  const rowsAre = async (names: readonly string[]) => {
    const rows = page.getByRole('button', { name: /^(View|Decide) request of/ });
    for (const name of names) await page.getByRole('button', { name, exact: true }).waitFor();
    expect(await Promise.all((await rows.all()).map((row) => row.getAttribute('aria-label')))).toEqual(names);
  };

  test('is told that a withdrawal would leave too little, and that its customer is not there', async () => {
    // What is left is the half dollar of a transfer: less than an account keeps.
    const params = { userId: jonas.userId };
    const body = { amounts: { USDT: '-9.50' }, reason: 'Booked twice' };
    await mary.get('adjustWallet', { params, body });
    await page.goto(`/withdrawal-request-history/${mary.userId}`);
    await page.getByRole('button', { name: 'Decide request of 40.00 USD by Jonas Berg' }).click();
    const dialog = page.getByRole('dialog', { name: 'Transaction Details' });
    const isTold = (words: string) => dialog.getByRole('alert').getByText(words, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await isTold('Insufficient wallet balance');
    const works = await fails(
      routes.confirmWithdrawal,
      refusal(404, 'account_not_found', 'User does not exist'),
    );
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await isTold('User does not exist');
    await works();
  });

  test('is told that a transfer was neither confirmed nor rejected, and then that it was', async () => {
    await page.goto(`/transfer-history/${mary.userId}`);
    const open = (amount: string) =>
      page.getByRole('button', { name: `Decide request of ${amount}.00 USD by Amara Nwosu` }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm or Reject Transaction' });
    const press = (name: string) => () => dialog.getByRole('button', { name, exact: true }).click();
    await open('20');
    await dialog.getByText('480.00', { exact: true }).waitFor();
    await lookAt(page, 'admin-transfer');
    const refused = 'Failed to approve the transaction.';
    await doTwice(
      page,
      routes.confirmTransfer,
      press('Confirm'),
      refused,
      'Transaction approved successfully!',
    );
    await dialog.waitFor({ state: 'detached' });
    await open('30');
    const unrejected = 'Failed to reject the transaction.';
    await doTwice(
      page,
      routes.rejectTransfer,
      press('Reject'),
      unrejected,
      'Transaction rejected successfully!',
    );
    await dialog.waitFor({ state: 'detached' });
  });

  test('finds a customer’s own transfers by the customer’s id, and the way back', async () => {
    await page.goto(`/transfer-history/${amara.userId}`);
    await rowsAre(['View request of 30.00 USD by Amara Nwosu', 'View request of 20.00 USD by Amara Nwosu']);
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await page.waitForURL('**/auth/dashboard');
  });

  test('finds a customer’s own fund requests and withdrawals by the customer’s id', async () => {
    await page.goto(`/fund-request-history/${amara.userId}`);
    await rowsAre([
      'Decide request of 41.00 USD by Amara Nwosu',
      'View request of 500.00 USD by Amara Nwosu',
    ]);
    await page.goto(`/withdrawal-request-history/${jonas.userId}`);
    await rowsAre(['Decide request of 40.00 USD by Jonas Berg']);
    await page.goto(`/withdrawal-request-history/${amara.userId}`);
    await said(page, 'No logs available.');
    await rowsAre([]);
  });

  test('is told that a request was confirmed already', async () => {
    await page.goto('/auth/transaction/dashboard?status=Pending');
    await page.getByRole('button', { name: 'Decide request of 41.00 USD by Amara Nwosu' }).click();
    const words = 'Transaction already confirmed';
    const works = await fails(routes.confirmFunding, refusal(409, 'request_already_confirmed', words));
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await said(page, words);
    await works();
  });

  test('is asked to prove who they are, and what they decided then goes on by itself', async () => {
    await page.goto('/auth/transaction/dashboard?status=Pending');
    const required = refusal(403, 'step_up_required', 'Please prove again that it is you.');
    const works = await fails(routes.confirmFunding, required);
    await page.getByRole('button', { name: 'Decide request of 41.00 USD by Amara Nwosu' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    const proof = page.getByRole('dialog', { name: 'Is it you?' });
    await leavePasswordToTest(page);
    const prove = async (password: string) => {
      await proof.getByLabel('Your password').fill(password);
      await proof.getByRole('button', { name: 'Go on' }).click();
    };
    await proof.waitFor();
    await works();
    await lookAt(page, 'admin-step-up');
    await prove(`not ${PASSWORD}`);
    await proof.getByText('Wrong e-mail or password.').waitFor();
    await prove(PASSWORD);
    await said(page, 'Transaction approved successfully!');
    await proof.waitFor({ state: 'detached' });
  });

  test('is told that a product was not uploaded, and then that it was', async () => {
    await page.goto('/upload/admin');
    const texts = { 'Amount, USD': '249.99', 'Owner name': 'Ann', 'Product name': 'Rig One' };
    for (const [label, text] of Object.entries({
      ...texts,
      Description: 'A rig.',
      Title: 'Rig',
      Subtitle: '1',
    }))
      await page.getByLabel(label, { exact: true }).fill(text);
    for (const [at, label] of ['Main image', 'Owner image'].entries()) {
      const file = { name: 'rig.png', mimeType: 'image/png', buffer: PNG };
      await page.locator('input[type=file]').nth(at).setInputFiles(file);
      await page.getByAltText(label).waitFor();
    }
    const upload = () => page.getByRole('button', { name: 'Upload product', exact: true }).click();
    const done = 'Product uploaded successfully!';
    await doTwice(page, routes.createProduct, upload, 'Error uploading product', done);
  });

  test('is told that the dollar rate and the platform’s details were not changed', async () => {
    await page.goto('/auth/account-support/dashboard');
    await page.getByRole('button', { name: 'View Dollar Rate' }).click();
    await page.getByLabel('New rate').fill('0.925');
    await lookAt(page, 'admin-dollar-rate');
    await page.getByLabel(/^Reason/).fill('The rate of the day');
    const set = () => page.getByRole('button', { name: 'Set rate' }).click();
    const unset = 'Failed to update dollar rate.';
    await doTwice(page, routes.setDollarRate, set, unset, 'Dollar rate updated successfully.');
    await page.goto('/auth/deposit-details/dashboard');
    await page.getByLabel('Contact phone number').fill('+234 800 000 001');
    const dialog = page.getByRole('dialog', { name: 'Change the platform’s details' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByLabel(/^Reason/).fill('A new office');
    const change = () => dialog.getByRole('button', { name: 'Change', exact: true }).click();
    const saved = 'Data submitted successfully!';
    await doTwice(page, routes.changeDepositDetails, change, 'Something went wrong.', saved);
  });

  test('is told that nobody has an id', async () => {
    await page.goto('/auth/User/dashboard/nobody');
    await said(page, 'User not found');
  });

  test('has pages that complain of nothing else', () => {
    expect(complaints.filter((text) => !/status of (404|409|503)/.test(text))).toEqual([]);
  });
});
