import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { until } from '#kernel/testing';
import { freePort } from '#kernel/testing/port';
import { startSmtp, unfolded, type SmtpDouble } from '#mail/testing';
import { adminAt } from './admin.js';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { enterPassword, fund, newPerson, PASSWORD, requestFunding, signedIn, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('an admin and people', () => {
  let mailbox: SmtpDouble;
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: Complaints;
  let mary: Person;
  let mei: Person;

  beforeAll(async () => {
    const [port, opened] = await Promise.all([freePort(), startSmtp()]);
    mailbox = opened;
    const address = `http://localhost:${port}`;
    const settings = { PORT: String(port), LODE_PUBLIC_URL: address, SMTP_URL: mailbox.url };
    [program, browser] = await Promise.all([startProgram(settings), launch(chromiumPath ?? '')]);
    mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    mei = await newPerson(program, ['Mei', 'Tanaka']);
    await newPerson(program, ['Jonas', 'Lindqvist']);
    await fund(mary, mei, '900', 'USDT');
    await fund(mary, mei, '6000', 'BTC');
    await requestFunding(mei, '12000', 'USDT');
    ({ page, complaints } = await adminAt(browser, program, mary));
  });

  afterAll(async () => {
    await browser.close();
    await program.stop();
    await mailbox.stop();
  });

  const dialog = (name: string) => page.getByRole('dialog', { name });
  /** Gives a reason for what a dialog asks again about, and does it. */
  const act = async (name: string, word: string) => {
    await dialog(name).getByLabel('Reason').fill('Asked for by phone');
    await dialog(name).getByRole('button', { name: word, exact: true }).click();
  };

  test('finds somebody in the user log, and comes to their page', async () => {
    await page.goto('/auth/User/dashboard');
    await page.getByRole('button', { name: 'View Jonas Lindqvist' }).waitFor();
    await lookAt(page, 'admin-users');
    await page.getByLabel('Find a user').fill('tanaka');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/auth/User/dashboard?search=tanaka');
    await page.getByRole('button', { name: 'View Jonas Lindqvist' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'View Mei Tanaka' }).click();
    await page.waitForURL(`**/auth/User/dashboard/${mei.userId}`);
    await page.getByRole('link', { name: 'Decide Funding, USDT, 12,000.00 USD' }).waitFor();
    await page.getByText('6,900.00').first().waitFor();
    await lookAt(page, 'admin-person');
  });

  test('credits and debits by hand, and is refused more than there is', async () => {
    await page.goto(`/auth/User/dashboard/${mei.userId}`);
    await page.getByRole('button', { name: 'Fund Wallet' }).click();
    const form = dialog('Fund Wallet');
    await form.getByLabel('Amount in PI, USD').fill('-10');
    await form.getByText('6,890.00').waitFor();
    await lookAt(page, 'admin-fund');
    await act('Fund Wallet', 'Update wallet');
    await said(page, 'Insufficient PI wallet balance!');
    await form.getByLabel('Amount in PI, USD').fill('0');
    await form.getByLabel('Amount in USDT, USD').fill('100');
    await act('Fund Wallet', 'Update wallet');
    await said(page, 'Wallet updated successfully.');
    await form.waitFor({ state: 'detached' });
    await page.getByText('7,000.00').first().waitFor();
  });

  test('chooses whom to fund on the page of funding', async () => {
    await page.goto('/auth/fund-account/dashboard?search=mei');
    await page.getByRole('link', { name: 'View Fund History' }).waitFor();
    await lookAt(page, 'admin-fund-account');
    await page.getByRole('button', { name: 'Fund Wallet Mei Tanaka' }).click();
    await dialog('Fund Wallet').getByText('Mei Tanaka').waitFor();
    await page.keyboard.press('Escape');
    await dialog('Fund Wallet').waitFor({ state: 'detached' });
  });

  test('stops and restarts mining', async () => {
    await page.goto(`/auth/User/dashboard/${mei.userId}`);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await act('Stop mining', 'Stop');
    await said(page, 'Mining stopped successfully');
    await page.getByText('7 of 7 days').waitFor();
    await page.getByRole('button', { name: 'Restart mining' }).click();
    await act('Restart mining', 'Restart');
    await said(page, 'Mining restarted successfully');
    await page.getByText('0 of 7 days').waitFor();
  });

  test('blocks somebody, who is signed out at once, and lets them in again', async () => {
    await page.goto(`/auth/User/dashboard/${mei.userId}`);
    await page.getByRole('button', { name: 'Block User' }).click();
    await dialog('Suspend Mei Tanaka')
      .getByText(/signed out of one session at once/)
      .waitFor();
    await lookAt(page, 'admin-suspend');
    await act('Suspend Mei Tanaka', 'Block User');
    await said(page, 'User blocked successfully!');
    await expect(mei.get('me')).rejects.toThrow(/40[13]/);
    await page.getByRole('button', { name: 'Activate' }).click();
    await act('Activate Mei Tanaka', 'Activate');
    await said(page, 'User activated successfully!');
    await page.getByRole('button', { name: 'Block User' }).waitFor();
  });

  test('signs somebody out on one device, and everywhere', async () => {
    const ona = await newPerson(program, ['Ona', 'Berg']);
    await page.goto(`/auth/User/dashboard/${ona.userId}`);
    const devices = page.getByRole('table', { name: 'Sessions', exact: true });
    await devices.getByRole('button', { name: /^Sign out .+ at 127\.0\.0\.1$/ }).click();
    await said(page, 'Signed out');
    await expect(ona.get('me')).rejects.toThrow('401');
    await said(page, 'Ona Berg is signed in nowhere.');
    const again = await signedIn(program, ona.email);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await dialog('Sign out everywhere')
      .getByText(/signed out of one session at once/)
      .waitFor();
    await dialog('Sign out everywhere').getByRole('button', { name: 'Sign out everywhere' }).click();
    await said(page, 'Signed out everywhere');
    await expect(again.get('me')).rejects.toThrow('401');
  });

  test('notes something about somebody', async () => {
    await page.goto(`/auth/User/dashboard/${mei.userId}`);
    await page.getByLabel('New note').fill('Called about the payout fee.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await said(page, 'Note added');
    await page.getByRole('list', { name: 'Notes' }).getByText('Called about the payout fee.').waitFor();
  });

  test('says when a user could not be blocked', async () => {
    await page.goto(`/auth/User/dashboard/${mei.userId}`);
    await page.route('**/suspend', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.getByRole('button', { name: 'Block User' }).click();
    await act('Suspend Mei Tanaka', 'Block User');
    await said(page, 'Failed to block the user.');
    await page.unroute('**/suspend');
    await page.keyboard.press('Escape');
  });

  test('registers a customer, unless the e-mail is taken', async () => {
    await page.goto('/auth/create-new-account/dashboard');
    const fields = { 'First name': 'Ada', 'Last name': 'Byron', Phone: '+44 1', 'E-mail': mei.email };
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await lookAt(page, 'admin-create-user');
    await page.getByRole('button', { name: 'Create User' }).click();
    await said(page, 'User already exists');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByRole('button', { name: 'Create User' }).click();
    await said(page, 'Registration successful');
    await page.getByRole('heading', { name: 'Ada Byron' }).waitFor();
  });

  test('has whoever was registered so choose another password before anything else', async () => {
    const { page: own, context, complaints: others } = await person(browser, { baseURL: program.address });
    await own.goto('/login');
    await enterPassword(own, 'ada@example.com', PASSWORD);
    await own.getByRole('heading', { name: 'Choose your own password' }).waitFor();
    await lookAt(own, 'own-password');
    const tab = await context.newPage();
    await tab.goto('/auth/dashboard');
    await tab.getByRole('heading', { name: 'Choose your own password' }).waitFor();
    await own.getByLabel('Password you were given').fill(PASSWORD);
    await own.getByLabel('New password', { exact: true }).fill('a first horse battery');
    await own.getByLabel('Confirm new password').fill('a first horse battery');
    await own.getByRole('button', { name: 'Set password' }).click();
    for (const one of [own, tab]) await one.getByRole('link', { name: 'Fund Account' }).first().waitFor();
    expect(others).toEqual([]);
    await context.close();
  });

  test('registers a customer who sets the first password by a link that was mailed, and signs in', async () => {
    await page.goto('/auth/create-new-account/dashboard');
    const email = 'lin@example.com';
    const fields = { 'First name': 'Lin', 'Last name': 'Wei', Phone: '+86 1', 'E-mail': email };
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
    await page.getByLabel('Mail a link to set one').check();
    await page.getByLabel('Password', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create User' }).click();
    await said(page, 'Registration successful');
    await page.getByRole('heading', { name: 'Lin Wei' }).waitFor();
    const { page: own, context, complaints: others } = await person(browser, { baseURL: program.address });
    const mails = () => mailbox.received.filter(({ to }) => to.includes(email)).map(unfolded);
    const link = () => /https?:\/\/\S+\/reset-password#[\w-]+/.exec(mails().join('\n'))?.[0] ?? '';
    await until(() => link() !== '');
    await own.goto(link());
    await own.getByLabel('New password', { exact: true }).fill('a first horse battery');
    await own.getByRole('button', { name: 'Set password' }).click();
    await said(own, 'Password updated successfully!');
    await own.waitForURL('**/login');
    await enterPassword(own, email, 'a first horse battery');
    await own.waitForURL('**/auth/dashboard');
    await own.getByText('Until you use it you can’t withdraw.').waitFor();
    expect(others).toEqual([]);
    await context.close();
  });

  test('invites an admin by a link, and revokes another', async () => {
    await page.goto('/auth/invitations/dashboard');
    await page.getByRole('button', { name: 'Issue a link' }).click();
    await said(page, 'Invitation issued');
    await page.getByText(/\/auth\/register#invitation=/).waitFor();
    await page.getByText('Accepted by Mary Okafor').waitFor();
    await lookAt(page, 'admin-invitations');
    await page.getByRole('button', { name: 'Revoke the invitation by Mary Okafor' }).first().click();
    await act('Revoke the invitation', 'Revoke');
    await said(page, 'Invitation revoked');
    await page.getByText('Revoked by Mary Okafor').waitFor();
  });

  test('has settings of their own', async () => {
    await page.goto('/auth/account-setting/dashboard');
    const form = (name: string) => page.getByRole('form', { name, exact: true });
    await page.getByRole('list', { name: 'Devices' }).getByText('This device').waitFor();
    expect(await form('Profile').getByLabel('First name').inputValue()).toBe('Mary');
    await form('Password').getByLabel('Old password').waitFor();
    await form('Set up a second factor').getByRole('button', { name: 'Set up' }).waitFor();
    await lookAt(page, 'admin-settings');
    await form('Profile').getByLabel('Phone').fill('+234 800 000 001');
    await form('Profile').getByRole('button', { name: 'Save profile' }).click();
    await said(page, 'User info updated successfully!');
  });

  test('comes to the dashboard by the logo, and from Logout to the sign-in page', async () => {
    await page.getByRole('link', { name: 'Lode', exact: true }).click();
    await page.waitForURL('**/auth/dashboard/admin');
    const actions = page.getByRole('navigation', { name: 'Actions', exact: true });
    await actions.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
  });

  test('nothing complained but for what was refused', () => {
    expect(complaints.filter((text) => !/status of (409|503)/.test(text))).toEqual([]);
  });
});
