import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityViolations } from './axe.js';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { enterPasswordWhenAsked, PDF, PNG } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

if (chromiumPath === undefined)
  console.warn('not run: the journey in a browser (no Chromium here; set CHROMIUM)');

/** Where pictures of every screen go when somebody wants to look at them. */
const pictures = process.env['LODE_PICTURES'];
const PASSWORD = 'correct horse battery';

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser.each([
  ['on a desk, light', { phone: false, dark: false }],
  ['on a phone, dark', { phone: true, dark: true }],
])('money in, decided, shown: %s', (name, look) => {
  let program: Program;
  let browser: Browser;
  let admin: Page;
  let customer: Page;
  const complaints: Complaints[] = [];
  let shots = 0;

  /** Every screen the journey stops at is looked at by axe, and by a person who asked for pictures. */
  async function lookAt(page: Page, screen: string): Promise<void> {
    if (pictures !== undefined) {
      const folder = join(pictures, name.replaceAll(/\W+/g, '-'));
      mkdirSync(folder, { recursive: true });
      shots += 1;
      await page.screenshot({
        path: join(folder, `${String(shots).padStart(2, '0')}-${screen}.png`),
        fullPage: true,
      });
    }
    expect(await accessibilityViolations(page)).toEqual([]);
  }

  beforeAll(async () => {
    program = await startProgram();
    browser = await launch(chromiumPath ?? '');
    const options = { baseURL: program.address, ...look };
    const [one, two] = [await person(browser, options), await person(browser, options)];
    admin = one.page;
    await enterPasswordWhenAsked(admin);
    customer = two.page;
    complaints.push(one.complaints, two.complaints);
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(value);
  };
  const newPerson = (firstname: string, lastname: string, email: string) => ({
    'First name': firstname,
    'Last name': lastname,
    'E-mail': email,
    Phone: '+234 800 000 000',
    Password: PASSWORD,
    'Confirm password': PASSWORD,
  });
  const signIn = async (page: Page, email: string) => {
    await fill(page, { 'E-mail': email, Password: PASSWORD });
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL('**/auth/dashboard');
  };
  const submitFunding = async (amount: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
    await customer.goto('/auth/fund-account/dashboard');
    await customer.getByRole('radio', { name: 'BTC' }).check();
    await customer.getByLabel('Amount, USD').fill(amount);
    await customer.getByLabel('Payment evidence').setInputFiles(file);
    await customer.getByRole('button', { name: 'Submit request' }).click();
    await said(customer, 'Your request has been submitted successfully!');
  };
  const decide = async (amount: string, choice: 'Confirm' | 'Reject', said: string) => {
    const row = admin.getByRole('button', { name: `Decide request of ${amount} USD by Amara Nwosu` });
    await row.click();
    const dialog = admin.getByRole('dialog', { name: 'Transaction Action' });
    await dialog.getByText(`${amount} USD`).first().waitFor();
    await dialog.getByLabel('Reason, kept with the decision').fill('Deposit seen on chain');
    await lookAt(admin, `decision-${choice}`);
    await dialog.getByRole('button', { name: choice }).click();
    await admin.getByText(said).first().waitFor();
  };

  test('the public page and the forms', async () => {
    await customer.goto('/');
    await lookAt(customer, 'site');
    await customer.goto('/auth/register');
    await lookAt(customer, 'register-admin-without-invitation');
  });

  test('the link makes the first admin', async () => {
    await admin.goto(`/auth/register#invitation=${program.invitation}`);
    await fill(admin, newPerson('Mary', 'Okafor', 'mary@example.com'));
    await lookAt(admin, 'register-admin');
    await admin.getByRole('button', { name: 'Register' }).click();
    await admin.getByText('Registration successful. Redirecting to login...').first().waitFor();
    await admin.waitForURL('**/login');
    await signIn(admin, 'mary@example.com');
    await admin.getByText('Total Users').waitFor();
    await lookAt(admin, 'admin-dashboard-empty');
  });

  test('a customer registers and signs in', async () => {
    await customer.goto('/register');
    await lookAt(customer, 'register');
    await fill(customer, newPerson('Amara', 'Nwosu', 'amara@example.com'));
    await customer.getByRole('button', { name: 'Register' }).click();
    await customer.getByText('Registration successful. Redirecting to login...').first().waitFor();
    await customer.waitForURL('**/login');
    await lookAt(customer, 'login');
    await signIn(customer, 'amara@example.com');
    await customer.getByRole('button', { name: /^0\.00 (?:US dollars|USD)/ }).waitFor();
    await lookAt(customer, 'wallet-empty');
  });

  test('a form that is not filled in is refused in its own words', async () => {
    await customer.goto('/auth/fund-account/dashboard');
    await customer.getByRole('button', { name: 'Submit request' }).click();
    await customer.getByText('Please enter a valid amount and upload payment evidence.').first().waitFor();
    await lookAt(customer, 'fund-refused');
  });

  test('a request arrives live, is confirmed, and the balance follows without a reload', async () => {
    await admin.goto('/auth/transaction/dashboard');
    await admin.getByText('No logs available.').waitFor();
    await lookAt(admin, 'funds-empty');
    await submitFunding('100', {
      name: 'receipt.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(PDF),
    });
    await customer.goto('/auth/dashboard');
    await customer.getByText('Pending').first().waitFor();
    await lookAt(customer, 'wallet-pending');
    const fresh = admin.getByRole('button', { name: '1 new' });
    const row = admin.getByRole('button', { name: /Decide request of 100\.00 USD/ });
    await fresh.or(row).first().waitFor();
    if (await fresh.isVisible()) await fresh.click();
    await decide('100.00', 'Confirm', 'Transaction approved successfully!');
    await customer.getByRole('button', { name: /^100\.00 (?:US dollars|USD)/ }).waitFor();
    await customer.getByText('100.0000').first().waitFor();
    await lookAt(admin, 'funds-confirmed');
    await lookAt(customer, 'wallet-funded');
  });

  test('the balance says why it is what it is', async () => {
    await customer.getByRole('button', { name: /^100\.00 (?:US dollars|USD)/ }).click();
    const why = customer
      .getByRole('region', { name: /^Why 100\.00 USD/ })
      .or(customer.getByRole('dialog', { name: /^Why 100\.00 USD/ }));
    await why.getByText('Funding confirmed').waitFor();
    await why
      .getByText(/Mary Okafor/)
      .first()
      .waitFor();
    await why.getByText(/chain verified/i).waitFor();
    await lookAt(customer, 'why');
  });

  test('a rejected request moves nothing', async () => {
    await submitFunding('40', { name: 'receipt.png', mimeType: 'image/png', buffer: PNG });
    await admin.goto('/auth/transaction/dashboard?status=Pending');
    await decide('40.00', 'Reject', 'Transaction rejected successfully!');
    await customer.goto('/auth/dashboard');
    await customer.getByRole('button', { name: /^100\.00 (?:US dollars|USD)/ }).waitFor();
    await customer.goto('/auth/transaction/dashboard');
    await customer.getByText('rejected').first().waitFor();
    await lookAt(customer, 'history');
    await admin.goto('/auth/dashboard');
    await admin.getByText('Total Funding').waitFor();
    await lookAt(admin, 'admin-dashboard');
  });

  test('an address that does not exist has its own screen', async () => {
    const answer = await customer.goto('/auth/nothing-here');
    expect(answer?.status()).toBe(404);
    await customer.getByText('Unexpected Application Error!').waitFor();
    await lookAt(customer, 'not-found');
  });

  test('no page complained', () => {
    expect(complaints.flat()).toEqual([]);
  });
});
