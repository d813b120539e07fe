import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { adminsAmong } from './admin-files.js';
import { appCode } from './authenticator.js';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { FIND, walkOf, type Walk } from './keyboard.js';
import { lookAt } from './look.js';
import { fund, newPerson, PASSWORD, type Person } from './people.js';
import { startProgram, type Program } from './program.js';

if (chromiumPath === undefined)
  console.warn('not run: the wallet by its keyboard (no Chromium here; set CHROMIUM)');

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const VIEW = 'button View request of 25.00 USD';

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Whatever has the focus is asserted to show it, at every stop on the way. */
inBrowser('the wallet by keyboard alone', () => {
  let program: Program;
  let browser: Browser;
  let amara: Person;
  let jonas: Person;
  let complaints: Complaints;
  let walk: Walk;
  /** To read by, and never to act by: that is the keyboard’s. */
  let page: Pick<Page, 'getByText' | 'getByRole' | 'getByLabel' | 'waitForURL' | 'goto' | 'reload' | 'url'>;
  let look: (screen: string) => Promise<void>;
  const asked: string[] = [];
  let recoveryCode = '';

  beforeAll(async () => {
    program = await startProgram();
    const admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    jonas = await newPerson(program, ['Jonas', 'Lindqvist']);
    await fund(admin, amara, '500', 'USDT');
    await amara.get('saveWalletAddress', {
      params: { userId: amara.userId },
      body: { walletAddress: ADDRESS, currency: 'USDT', proof: { password: PASSWORD } },
    });
    browser = await launch(chromiumPath ?? '');
    const opened = await person(browser, { baseURL: program.address });
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    opened.context.on('request', (request) => asked.push(request.url()));
    complaints = opened.complaints;
    page = opened.page;
    walk = walkOf(opened.page);
    look = (screen) => lookAt(opened.page, screen);
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  test('somebody writes to the operator, and registers', async () => {
    const { keyboard, said, fill } = walk;
    await page.goto('/Contact-us');
    await fill({
      Name: 'Ann Lee',
      'E-mail': 'ann@example.org',
      'Business type': 'Farming',
      Phone: '+44 20 1234',
      Message: 'When do you open?',
    });
    await keyboard.tabTo('button Send message');
    await keyboard.press('Enter');
    await said('Message sent successfully!');
    await page.goto('/register');
    await fill({
      'First name': 'Ann',
      'Last name': 'Lee',
      'E-mail': 'ann@example.org',
      Phone: '+44 20 1234',
      Password: PASSWORD,
      'Confirm password': PASSWORD,
    });
    await keyboard.press('Enter');
    await said('Registration successful. Redirecting to login...');
    await page.waitForURL('**/login');
  });

  test('somebody signs in, finds the withdrawal by the palette, and sends it', async () => {
    const { keyboard, said, signIn, goTo, choose } = walk;
    await signIn(amara.email, PASSWORD);
    await page.waitForURL('**/auth/dashboard');
    await said('Open requests');

    await keyboard.press('Control+k');
    await keyboard.comesTo(FIND);
    await look('palette');
    await keyboard.press('Tab');
    expect(await keyboard.stop()).toBe('button Close');
    await keyboard.press('Tab');
    expect(await keyboard.stop()).toBe(FIND);
    await keyboard.type('no such page');
    await said('Nothing is called that.');
    await look('palette-nothing');
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await goTo('withdrawal');
    await page.waitForURL('**/auth/withdrawal-request/dashboard');
    await keyboard.tabTo(/^radio /);
    await choose(/^radio USDT/);
    await keyboard.tabTo('field Amount, USD');
    await keyboard.type('25');
    await keyboard.tabTo('field Transfer pin or password');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await said('Your request has been submitted successfully!');
    await page.waitForURL('**/withdrawal-request-history/*');
  });

  test('the details of a request open and close, keep the focus meanwhile, and give it back', async () => {
    const { keyboard, said } = walk;
    await page.getByRole('button', { name: 'View request of 25.00 USD' }).waitFor();
    await keyboard.tabTo(VIEW);
    await keyboard.press('Enter');
    await keyboard.comesTo('button Close');
    const inside = ['button Close', 'button Copy Wallet address', 'button Copy Request id'];
    for (let round = 0; round < 2; round += 1)
      for (const name of inside) {
        expect(await keyboard.stop()).toBe(name);
        await keyboard.press('Tab');
      }
    await keyboard.press('Shift+Tab');
    expect(await keyboard.stop()).toBe('button Copy Request id');
    await keyboard.press('Enter');
    await said('Request id copied');
    await keyboard.press('Escape');
    await keyboard.comesTo(VIEW);
  });

  test('somebody sets a pin and sends a transfer, whose form has again what was typed after a reload', async () => {
    const { keyboard, said, goTo, choose } = walk;
    const { accountNumber } = await jonas.get('me');
    await goTo('new transfer');
    await page.waitForURL('**/auth/transfer/dashboard');
    await keyboard.tabTo('field New transfer pin');
    await keyboard.type('4711');
    await keyboard.tabTo('field Your password');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await said('Transfer pin updated successfully!');
    await page.getByLabel('Narration').waitFor();

    await keyboard.tabTo('field Account number');
    await keyboard.type(accountNumber);
    await said('An account here: the money stays on the platform.');
    await keyboard.tabTo(/^radio BTC/);
    await choose(/^radio USDT/);
    await keyboard.tabTo('field Amount, USD');
    await keyboard.type('7.50');
    await keyboard.tabTo('field Narration');
    await keyboard.type('Rent');
    await page.reload();
    await said('An account here: the money stays on the platform.');
    expect(await page.getByLabel('Amount, USD').inputValue()).toBe('7.50');
    expect(await page.getByRole('radio', { name: /^USDT/ }).isChecked()).toBe(true);

    await keyboard.tabTo('field Transfer pin');
    await keyboard.type('4711');
    await keyboard.press('Enter');
    await said('Transfer submitted successfully!');
    await page.waitForURL('**/transfer-history/*');
    await page.getByRole('button', { name: 'View request of 7.50 USD' }).waitFor();
    await goTo('new transfer');
    expect(await page.getByLabel('Amount, USD').inputValue()).toBe('');
  });

  test('somebody writes to support', async () => {
    const { keyboard, said, goTo, fill } = walk;
    await goTo('support');
    await page.getByLabel('Subject').waitFor();
    await fill({ Subject: 'A question', Message: 'When are they back?' });
    await keyboard.tabTo('button Send message');
    await keyboard.press('Enter');
    await said('Message sent successfully!');
  });

  test('settings are gone through part by part, and saved', async () => {
    const { keyboard, said, goTo, choose } = walk;
    await goTo('settings');
    await page.waitForURL('**/auth/account-setting/dashboard');
    await page.getByLabel('Phone').waitFor();
    await keyboard.tabTo('field Phone');
    await keyboard.press('Control+a');
    await keyboard.type('+234 800 222 222');
    await keyboard.press('Enter');
    await said('User info updated successfully!');
    for (const part of ['button Copy Account number', 'field Old password', 'button Change password'])
      await keyboard.tabTo(part);
    await keyboard.tabTo(/^button Save address/);
    await keyboard.tabTo(/^radio (System|Light|Dark)$/);
    await choose(/^radio Dark$/);
    await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor();
    await choose(/^radio System$/);
  });

  test('another e-mail address is asked for, and a second factor switched on', async () => {
    const { keyboard, said, goTo, fill } = walk;
    await goTo('dashboard');
    await goTo('settings');
    await page.getByRole('form', { name: 'E-mail address' }).getByLabel('Your password').waitFor();
    await fill({ 'New e-mail address': 'amara.nwosu@example.net', 'Your password': PASSWORD });
    await keyboard.press('Enter');
    await said('A link was sent to amara.nwosu@example.net.');
    await page.getByRole('button', { name: 'Cancel the change' }).waitFor();
    await keyboard.tabTo('button Cancel the change', 'Shift+Tab');
    await keyboard.press('Enter');
    await said('Your e-mail address stays as it is.');
    await keyboard.tabTo('button Set up');
    await keyboard.press('Shift+Tab');
    expect(await keyboard.stop()).toBe('field Your password');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    const confirm = page.getByRole('form', { name: 'Confirm the second factor' });
    await confirm.getByRole('img').waitFor();
    const secret = (await confirm.locator('code').innerText()).replaceAll(' ', '');
    await keyboard.tabTo('field Code that the app shows');
    await keyboard.type(appCode(secret));
    await keyboard.press('Enter');
    const codes = page.getByRole('region', { name: 'Recovery codes' });
    recoveryCode = await codes.getByRole('listitem').first().innerText();
    await keyboard.tabTo('button I have kept them');
    await keyboard.press('Enter');
    await said('Recovery codes left: 10.');
  });

  test('the list of shortcuts opens by its key and can be told to do without', async () => {
    const { keyboard, goTo } = walk;
    await goTo('dashboard');
    // The toast of what was done before would lie over the dialog on a phone.
    await page.getByText('Second factor is on').waitFor({ state: 'hidden' });
    await keyboard.press('?');
    await keyboard.comesTo('button Close');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await look('shortcuts');
    await keyboard.tabTo('checkbox Shortcuts of one key alone, as ?');
    await keyboard.press('Escape');
    await keyboard.comesTo('main');
  });

  test('the dashboard’s menus and panels open and close, and give the focus back', async () => {
    const { keyboard } = walk;
    const WHY = /^button .*Why this balance$/;
    await keyboard.tabTo(WHY);
    await keyboard.press('Enter');
    await keyboard.comesTo(/^heading Why /);
    await keyboard.press('Tab');
    await keyboard.press('Escape');
    await keyboard.comesTo(WHY);
    for (const opener of [/^button Notifications/, /^button Find a page or action/]) {
      await keyboard.tabTo(opener, 'Shift+Tab');
      await keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await keyboard.comesTo(/^(button Close|combobox )/);
      await keyboard.press('Escape');
      await keyboard.comesTo(opener);
    }
    await keyboard.tabTo('button Account of Amara');
    await keyboard.press('Enter');
    await keyboard.comesTo('menuitem Logout');
    await keyboard.press('Escape');
    await keyboard.comesTo('button Account of Amara');
  });

  test('somebody signs out by the palette, and in again by the second step', async () => {
    const { keyboard, said, signIn } = walk;
    await keyboard.press('Control+k');
    await keyboard.comesTo(FIND);
    await keyboard.type('sign out');
    await keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/');
    await signIn(amara.email, PASSWORD);
    await keyboard.comesTo('field Code');
    await keyboard.type('aaaaaaaa-bbbb-cccc');
    await keyboard.press('Enter');
    await said(/^Login failed: /);
    await keyboard.comesTo('field Code');
    await keyboard.type(recoveryCode);
    await keyboard.press('Enter');
    await page.waitForURL('**/auth/dashboard');
    await said('Open requests');
  });

  test('somebody signs out by the account’s menu, and nothing complained or was asked for that is an admin’s', async () => {
    const { keyboard, press } = walk;
    await press('button Account of Amara');
    await keyboard.comesTo('menuitem Logout');
    await keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/');
    expect(complaints).toEqual([]);
    expect(adminsAmong(asked)).toEqual([]);
  });
});
