import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { fund, newPerson, PASSWORD, requestFunding, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

if (chromiumPath === undefined)
  console.warn('not run: the desks of admins in a browser (no Chromium here; set CHROMIUM)');

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('admins decide requests of customers', () => {
  let program: Program;
  let browser: Browser;
  let mary: Person;
  let jonas: Person;
  let amara: Person;
  let page: Page;
  let other: Page;
  const complaints: Complaints[] = [];

  beforeAll(async () => {
    program = await startProgram();
    mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    const { token } = await mary.get('inviteAdmin');
    jonas = await newPerson(program, ['Jonas', 'Berg'], token);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    await fund(mary, amara, '500', 'USDT');
    const proof = { password: PASSWORD };
    const params = { userId: amara.userId };
    await amara.get('saveWalletAddress', { params, body: { walletAddress: ADDRESS, proof } });
    for (const amount of ['20', '30'])
      await amara.get('requestWithdrawal', { body: { amount, currency: 'USDT', proof } });
    for (const amount of ['41', '42', '43']) await requestFunding(amara, amount, 'BTC');
    browser = await launch(chromiumPath ?? '');
    const opened = [];
    for (const admin of [mary, jonas]) {
      const one = await adminAt(browser, program, admin);
      complaints.push(one.complaints);
      opened.push(one.page);
    }
    [page, other] = opened as [Page, Page];
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  /** Whether links of a navigation lead where they should. */
  const leadTo = async (place: Locator, links: Readonly<Record<string, string>>) => {
    for (const [label, to] of Object.entries(links)) {
      // What waits there may stand beside the label.
      const link = place.getByRole('link', { name: new RegExp(`^${label}( ?\\d+ pending)?$`) });
      expect([label, await link.getAttribute('href')]).toEqual([label, to]);
    }
  };

  test('the dashboard says what waits longest, and lists all requests', async () => {
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.getByRole('button', { name: 'Decide withdrawal of 20.00 USD by Amara Nwosu' }).waitFor();
    await page.getByText(/^Also watched, and well:/).waitFor();
    await page.getByText('Rows 1–6, newest first').waitFor();
    for (const figure of ['Total Users', 'Total Funding', 'Pending Withdrawals'])
      await page.getByRole('region', { name: figure }).getByText(/^\d/).first().waitFor();
    expect(await page.getByRole('link', { name: 'Create User' }).getAttribute('href')).toBe(
      '/auth/create-new-account/dashboard',
    );
    const own = `/withdrawal-request-history/${mary.userId}`;
    const menu = page.getByRole('navigation', { name: 'Main' });
    await leadTo(menu, {
      Dashboard: '/auth/dashboard',
      'User Management': '/auth/User/dashboard',
      'Funds Management': '/auth/transaction/dashboard',
      Withdrawal: own,
      Settings: '/auth/account-setting/dashboard',
    });
    const first = {
      'Manage Users': '/auth/User/dashboard',
      'All Transactions': '/auth/transaction/dashboard',
      Withdrawals: own,
      Funding: '/auth/fund-account/dashboard',
    };
    const actions = page.getByRole('navigation', { name: 'Actions', exact: true });
    await leadTo(actions, { ...first, Settings: '/auth/account-setting/dashboard' });
    const bar = page.getByRole('navigation', { name: 'Quick actions' });
    await page.setViewportSize({ width: 390, height: 844 });
    await leadTo(bar, first);
    expect(await bar.getByRole('link').count()).toBe(4);
    await lookAt(page, 'admin-dashboard');
  });

  test('the dashboard has the settings that hold for all, of which one is changed there', async () => {
    const form = page.getByRole('region', { name: 'Global Settings' }).getByRole('form');
    await form.getByLabel('Contact phone number').fill('+234 800 000 001');
    await form.getByRole('button', { name: 'Save changes' }).click();
    const asked = page.getByRole('dialog');
    await asked.getByLabel('Reason').fill('A new line');
    await asked.getByRole('button', { name: 'Change', exact: true }).click();
    await said(page, 'Data submitted successfully!');
    expect(await form.locator('label').allInnerTexts()).toEqual([
      'Contact phone number',
      'E-mail',
      'Contact address',
      'BTC deposit address',
      'USDT deposit address',
      'PI deposit address',
    ]);
    expect(await form.getByRole('textbox').count()).toBe(6);
    const { depositDetails } = await mary.get('settings');
    expect(depositDetails).toMatchObject({ phoneNumber: '+234 800 000 001' });
  });

  test('a withdrawal is approved with what its payment is found by, and another one is rejected', async () => {
    await page.goto(`/withdrawal-request-history/${mary.userId}`);
    await page.getByRole('button', { name: 'Decide request of 20.00 USD by Amara Nwosu' }).click();
    const dialog = page.getByRole('dialog', { name: 'Transaction Details' });
    await dialog.getByText('480.00', { exact: true }).waitFor();
    await dialog.getByLabel('Payout reference, if there is one').fill('4a5e1e4baab89f3a');
    await lookAt(page, 'admin-withdrawal');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await said(page, 'Transaction approved successfully!');
    // By keys alone: to the row, and its rejection.
    await page.getByRole('button', { name: 'Decide request of 30.00 USD by Amara Nwosu' }).focus();
    await page.keyboard.press('r');
    await dialog.getByText('450.00', { exact: true }).waitFor();
    await page.keyboard.press('r');
    await said(page, 'Transaction rejected successfully!');
    await page.getByRole('button', { name: /^View request of 20\.00 USD/ }).click();
    await dialog.getByText('4a5e1e4baab89f3a').waitFor();
  });

  test('of two admins who decide the same request at once one is told that it is closed', async () => {
    const dialogs = [];
    for (const one of [page, other]) {
      await one.goto('/auth/transaction/dashboard?status=Pending');
      await one.getByRole('button', { name: 'Decide request of 41.00 USD by Amara Nwosu' }).click();
      const dialog = one.getByRole('dialog', { name: 'Transaction Action' });
      await dialog.getByText('Rejecting moves nothing.').waitFor();
      dialogs.push(dialog);
    }
    // Neither is shown the other's decision before it is made.
    await Promise.all(dialogs.map((dialog) => dialog.getByRole('button', { name: 'Reject' }).click()));
    const told = await Promise.all(
      [page, other].map(async (one) => {
        const words = one.getByText(/^(Transaction Closed|Transaction rejected successfully!)$/).first();
        await words.waitFor();
        return words.textContent();
      }),
    );
    expect(told.toSorted()).toEqual(['Transaction Closed', 'Transaction rejected successfully!']);
  });

  test('what is selected is decided together, and each tells what came of it', async () => {
    await page.goto('/auth/transaction/dashboard?status=Pending');
    for (const amount of ['42', '43'])
      await page.getByRole('checkbox', { name: `Select request of ${amount}.00 USD by Amara Nwosu` }).check();
    await lookAt(page, 'admin-funds-selected');
    await page.getByRole('button', { name: 'Confirm selected' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm selected requests' });
    await dialog.getByText('85.00 USD').waitFor();
    await lookAt(page, 'admin-bulk');
    await dialog.getByRole('button', { name: 'Confirm 2' }).click();
    await dialog.getByText('2 of 2 requests are confirmed.').waitFor();
    await dialog.getByRole('button', { name: 'Close list' }).click();
    expect(complaints.flat()).toEqual([]);
  });
});
