import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { pagePaths } from '#contracts';
import { adminsAmong } from './admin-files.js';
import { adminAt } from './admin.js';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { enterPassword, fund, newPerson, PASSWORD, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

if (chromiumPath === undefined)
  console.warn('not run: requests in a browser (no Chromium here; set CHROMIUM)');

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('a withdrawal and a transfer, from the request to the payment', () => {
  let program: Program;
  let browser: Browser;
  let mary: Person;
  let amara: Person;
  let jonas: Person;
  /** Pages of the admin, of the customer who makes the requests, and of the receiver. */
  let admin: Page;
  let page: Page;
  let receiver: Page;
  const complaints: Complaints[] = [];
  /** What the pages of customers request. */
  const requested: string[] = [];

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
    mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    jonas = await newPerson(program, ['Jonas', 'Lindqvist']);
    await fund(mary, amara, '1480', 'USDT');
    page = await customerAt(amara);
    receiver = await customerAt(jonas);
    const one = await adminAt(browser, program, mary);
    complaints.push(one.complaints);
    admin = one.page;
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  /** Signs a customer in, in a browser context of their own. */
  async function customerAt({ email }: Person): Promise<Page> {
    const one = await person(browser, { baseURL: program.address });
    complaints.push(one.complaints);
    one.context.on('request', (request) => requested.push(request.url()));
    await enterPassword(one.page, email);
    await one.page.waitForURL('**/auth/dashboard');
    return one.page;
  }

  const balanceIs = (of: Page, amount: string) =>
    of
      .getByRole('button', { name: new RegExp(`^${amount.replace('.', '\\.')} (?:US dollars|USD)`) })
      .waitFor();
  /** Marks the document that a page shows: the mark is lost when the page is loaded again. */
  const mark = (of: Page) => of.evaluate('globalThis.isMarked = true');
  const isMarked = (of: Page) => of.evaluate<boolean>('globalThis.isMarked === true');
  const decideIn = async (list: string, amount: string, title: string, button: string) => {
    await admin.goto(list.replace(':userId', mary.userId));
    await admin.getByRole('button', { name: `Decide request of ${amount} USD by Amara Nwosu` }).click();
    const dialog = admin.getByRole('dialog', { name: title });
    await dialog.getByText(`${amount} USD`).first().waitFor();
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await said(admin, 'Transaction approved successfully!');
  };

  test('a withdrawal needs a wallet address, and at most the available amount', async () => {
    await page.goto(pagePaths.withdraw);
    await page.getByRole('button', { name: 'Save address' }).click();
    await said(page, 'Please enter a wallet address.');
    await lookAt(page, 'withdrawal-address');
    await page.getByRole('radio', { name: /^USDT/ }).check();
    await page.getByLabel('Wallet address').fill(ADDRESS);
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save address' }).click();
    await said(page, 'wallet address updated');

    // The form for the address has the same choice of a currency.
    await page.getByLabel('Transfer pin or password').waitFor();
    await page.getByRole('radio', { name: /^USDT/ }).check();
    await page.getByText('1,479.00 USD').waitFor();
    await page.getByLabel('Amount, USD').fill('1,479.01');
    await said(page, 'Insufficient USDT wallet balance!');
    const submit = page.getByRole('button', { name: 'Submit request' });
    expect(await submit.isDisabled()).toBe(true);
    await lookAt(page, 'withdrawal-too-much');
    await page.getByLabel('Amount, USD').fill('250');
    await page.getByLabel('Transfer pin or password').fill(PASSWORD);
    await submit.click();
    await said(page, 'Your request has been submitted successfully!');
    await page.waitForURL('**/withdrawal-request-history/*');
  });

  test('the withdrawal history lists the request with its details', async () => {
    const view = page.getByRole('button', { name: 'View request of 250.00 USD' });
    await view.waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'S/N',
      'Created',
      'Wallet Address',
      'Type',
      'Amount, USD',
      'Status',
      'Waiting',
      'Actions',
    ]);
    await lookAt(page, 'withdrawal-history');
    await view.click();
    const details = page.getByRole('dialog', { name: 'Transaction Details' });
    await details.getByText(ADDRESS).waitFor();
    await lookAt(page, 'withdrawal-details');
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'hidden' });
  });

  test('an admin confirms the withdrawal, and the customer sees it paid and the balance lower', async () => {
    const dashboard = await page.context().newPage();
    await dashboard.goto(pagePaths.dashboard);
    await balanceIs(dashboard, '1,480.00');
    for (const one of [page, dashboard]) await mark(one);
    await decideIn(pagePaths.withdrawalHistory, '250.00', 'Transaction Details', 'Approve');
    await balanceIs(dashboard, '1,230.00');
    await dashboard.getByRole('region', { name: 'Total Withdrawal' }).getByText('250.00').waitFor();
    await page.getByRole('row').filter({ hasText: '250.00' }).getByText('confirmed').waitFor();
    for (const one of [page, dashboard]) expect(await isMarked(one)).toBe(true);
    await dashboard.close();
  });

  test('a transfer needs a pin, and finds the receiver by account number', async () => {
    const { accountNumber } = await jonas.get('me');
    await page.goto(pagePaths.transfer);
    await page.getByLabel('New transfer pin').fill('47');
    await page.getByRole('button', { name: 'Set pin' }).click();
    await said(page, 'A transfer pin has 4 digits.');
    await lookAt(page, 'transfer-pin');
    await page.getByLabel('New transfer pin').fill('4711');
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set pin' }).click();
    await said(page, 'Transfer pin updated successfully!');

    await page.getByLabel('Account number').fill('9900000001');
    await said(page, 'No user found with this account number.');
    await page.getByRole('radio', { name: 'International' }).check();
    await page.getByRole('button', { name: 'Submit transfer' }).click();
    await said(page, 'Incomplete information');
    await lookAt(page, 'transfer-bank');
    await page.getByLabel('Account number').fill(accountNumber);
    await page.locator('[readonly][value="Jonas Lindqvist"]').waitFor();
    expect(await page.getByLabel('SWIFT/BIC/IBAN').count()).toBe(0);
    await page.getByRole('radio', { name: /^USDT/ }).check();
    await page.getByLabel('Amount, USD').fill('75');
    await page.getByLabel('Narration').fill('Rent, December');
    await page.getByLabel('Transfer pin').fill('0000');
    await page.getByRole('button', { name: 'Submit transfer' }).click();
    await said(page, 'Wrong transfer pin. Tries left: 4.');
    await lookAt(page, 'transfer-customer');
    await page.getByLabel('Transfer pin').fill('4711');
    await page.getByRole('button', { name: 'Submit transfer' }).click();
    await said(page, 'Transfer submitted successfully!');
    await page.waitForURL('**/transfer-history/*');
  });

  test('the transfer history lists the request and leads back to the dashboard', async () => {
    const view = page.getByRole('button', { name: 'View request of 75.00 USD' });
    await view.waitFor();
    await page.getByText('On this platform').waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'S/N',
      'Created',
      'Name',
      'Amount, USD',
      'Bank',
      'Type',
      'Status',
      'Waiting',
      'Actions',
    ]);
    await lookAt(page, 'transfer-history');
    await view.click();
    await page.getByRole('dialog', { name: 'Transaction Details' }).getByText('Jonas Lindqvist').waitFor();
    await lookAt(page, 'transfer-details');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Received' }).click();
    await said(page, 'No logs available.');
    await lookAt(page, 'transfers-received');
    await page.getByRole('link', { name: 'Back' }).click();
    await page.waitForURL('**/auth/dashboard');
  });

  test('an admin confirms the transfer, the receiver sees the money arrive, and the sender has less', async () => {
    await balanceIs(page, '1,230.00');
    await balanceIs(receiver, '0.00');
    for (const one of [page, receiver]) await mark(one);
    await decideIn(pagePaths.transferHistory, '75.00', 'Confirm or Reject Transaction', 'Confirm');
    await balanceIs(receiver, '75.00');
    await balanceIs(page, '1,155.00');
    for (const one of [page, receiver]) expect(await isMarked(one)).toBe(true);
    await page.goto(pagePaths.transferHistory.replace(':userId', amara.userId));
    await page.getByRole('row').filter({ hasText: '75.00' }).getByText('confirmed').waitFor();
    await receiver.goto(`${pagePaths.transferHistory.replace(':userId', jonas.userId)}?tab=received`);
    await receiver
      .getByRole('row')
      .filter({ hasText: 'Amara Nwosu' })
      .getByText('75.00', { exact: true })
      .waitFor();
  });

  test('no page reports an error or requests another host, and none of a customer loads files for admins', () => {
    expect(complaints.flat()).toEqual([]);
    expect(adminsAmong(requested)).toEqual([]);
  });
});
