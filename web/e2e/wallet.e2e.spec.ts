import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ownData, routes } from '#contracts';
import { until } from '#kernel/testing';
import { adminFiles, adminsAmong } from './admin-files.js';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { enterPassword, fund, newPerson, PASSWORD, type Person, PNG, requestFunding } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

if (chromiumPath === undefined)
  console.warn('not run: the wallet in a browser (no Chromium here; set CHROMIUM)');

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const DEPOSIT = 'bc1qexample0000000000000000000000000000000';
const NEW_PASSWORD = 'battery horse correct';
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const SETTINGS = '/auth/account-setting/dashboard';

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('the wallet of a customer', () => {
  let program: Program;
  let browser: Browser;
  let admin: Person;
  let amara: Person;
  let jonas: Person;
  let page: Page;
  let complaints: Complaints;
  const asked: string[] = [];

  beforeAll(async () => {
    program = await startProgram();
    admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    jonas = await newPerson(program, ['Jonas', 'Lindqvist']);
    await fund(admin, amara, '1480', 'USDT');
    const proof = { password: PASSWORD };
    await amara.get('saveWalletAddress', {
      params: { userId: amara.userId },
      body: { walletAddress: ADDRESS, currency: 'USDT', proof },
    });
    await amara.get('requestWithdrawal', { body: { amount: '250', currency: 'USDT', proof } });
    await amara.get('setTransferPin', { body: { pin: '4711', password: PASSWORD } });
    const { accountNumber } = await jonas.get('me');
    await amara.get('requestTransfer', {
      body: {
        transferType: 'local',
        accountNumber,
        amount: '75',
        currency: 'USDT',
        narration: 'Rent, December',
        pin: '4711',
      },
    });
    browser = await launch(chromiumPath ?? '');
    const opened = await person(browser, { baseURL: program.address });
    ({ page, complaints } = opened);
    opened.context.on('request', (request) => asked.push(request.url()));
    await enterPassword(page, amara.email);
    await page.waitForURL('**/auth/dashboard');
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  /** What has the focus, which must be seen to have it. */
  const focused = async () => {
    const [name, outline] = await page.evaluate<[string, string]>(
      '[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]',
    );
    expect(outline).toBe('solid');
    return name;
  };

  test('the frame has every place, the actions of a customer, and on a phone the first four of them', async () => {
    const labels = async (name: string) =>
      (await page.getByRole('navigation', { name, exact: true }).innerText())
        .split('\n')
        .map((line) => line.trim());
    const places = ['Dashboard', 'Funding History', 'Fund Account', 'Withdrawal Request History'];
    for (const place of [...places, 'Settings', 'Support', 'Logout'])
      expect(await labels('Main')).toContain(place);
    const actions = [
      'Fund',
      'Transfer',
      'Withdraw',
      'Transaction',
      'Assets',
      'Support',
      'Settings',
      'Logout',
    ];
    expect(await labels('Actions')).toEqual(actions);
    expect(await page.evaluate(`localStorage.getItem('token')`)).toBe(amara.userId);
    await page.getByRole('button', { name: 'Account of Amara' }).getByText('A', { exact: true }).waitFor();
    const menu = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Fund Account' });
    const wide = await menu.boundingBox();
    await page.getByRole('button', { name: 'Collapse menu' }).click();
    await until(async () => ((await menu.boundingBox())?.width ?? 0) < (wide?.width ?? 0));
    await page.getByRole('navigation', { name: 'Main' }).locator('[aria-expanded=false]').click();
    await page.setViewportSize({ width: 768, height: 900 });
    expect(await menu.isVisible()).toBe(false);
    expect(await labels('Quick actions')).toEqual(actions.slice(0, 4));
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await menu.waitFor();
    await page.getByRole('button', { name: 'Close menu' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const card of ['Total Asset Balance', 'Total Withdrawal'])
      await page.getByText(card).first().waitFor();
    const details = page.getByRole('region', { name: 'Total Asset Balance' }).locator('details').first();
    expect(await details.getByText('PI', { exact: true }).isVisible()).toBe(true);
    await details.locator('summary').click();
    expect(await details.getByText('PI', { exact: true }).isVisible()).toBe(false);
  });

  test('the dashboard has every open request, and the ways to new ones', async () => {
    await requestFunding(amara, '100', 'BTC');
    for (const kind of ['Funding, BTC', 'withdrawal, USDT', 'transfer, USDT'])
      await page.getByText(kind).waitFor();
    await page.getByText('1,155.00').first().waitFor();
    await lookAt(page, 'dashboard');
    await page.getByRole('button', { name: 'View request of 75.00 USD' }).click();
    await page.getByRole('dialog', { name: 'Transaction Details' }).getByText('Rent, December').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'New Request' }).click();
    await page.getByRole('heading', { name: 'New Request' }).waitFor();
    await page.getByText('transfer, USDT').waitFor();
    await lookAt(page, 'new-request');
  });

  test('the bell tells what was decided, and counts it until it was read', async () => {
    await page.goto('/auth/dashboard');
    await page.getByRole('button', { name: 'Notifications, 3 unread' }).click();
    const dialog = page.getByRole('dialog', { name: 'Notifications' });
    await dialog.getByText('Your fund request of $1,480.00 (USDT) was confirmed.').waitFor();
    await dialog.getByText('Your USDT wallet address was saved.').waitFor();
    await dialog.getByText('A transfer pin was set for your account.').waitFor();
    await lookAt(page, 'notifications');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    const body = { amounts: { PI: '1' }, reason: 'A correction.' };
    await admin.get('adjustWallet', { params: { userId: amara.userId }, body });
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
    await admin.get('adjustWallet', {
      params: { userId: amara.userId },
      body: { amounts: { PI: '-1' }, reason: 'Taken back.' },
    });
  });

  test('the fund form says where to pay, or that there is nowhere yet', async () => {
    await page.goto('/auth/fund-account/dashboard');
    await said(page, 'There is no deposit address for BTC yet.');
    await lookAt(page, 'fund-no-address');
    const details = { btcWallet: DEPOSIT, email: 'help@lode.example', phoneNumber: '+234 800 000 001' };
    await admin.get('changeDepositDetails', { body: { ...details, reason: 'a test' } });
    await page.reload();
    await said(page, DEPOSIT);
    await page.getByRole('img', { name: 'QR code of the BTC deposit address' }).waitFor();
    await lookAt(page, 'fund');
  });

  test('the history of fund requests says where each deposit went', async () => {
    const asked = await requestFunding(amara, '60', 'BTC');
    await page.goto(`/fund-request-history/${amara.userId}`);
    const row = page.getByRole('row').filter({ hasText: '60.00' });
    await row.getByTitle(DEPOSIT).waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'S/N',
      'Created',
      'Address',
      'Paid in',
      'Amount, USD',
      'Status',
      'Waiting',
      'Actions',
    ]);
    await lookAt(page, 'fund-history');
    const params = { userId: amara.userId, requestId: asked };
    await admin.get('rejectFunding', { params, body: {} });
    await page.goto(`/fund-request-history/${jonas.userId}`);
    await said(page, 'Not open to you');
  });

  test('each wallet opens what moved it', async () => {
    await page.goto(`/auth/assets/${amara.userId}`);
    await page.getByRole('button', { name: /^USDT/ }).waitFor();
    await lookAt(page, 'assets');
    await page.getByRole('button', { name: /^USDT/ }).click();
    const dialog = page.getByRole('dialog', { name: 'USDT transactions' });
    await dialog.getByText('+1,480.0000 USDT').waitFor();
    await lookAt(page, 'assets-transactions');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  test('a statement of the month is shown, printed without the shell, and taken as a file', async () => {
    await page.getByRole('link', { name: 'Statement' }).click();
    const sheet = page.getByRole('article', { name: 'USD statement' });
    await page.getByRole('button', { name: 'This month', pressed: true }).waitFor();
    // What the tests before this one did may have been last month, or last year.
    await page.getByLabel('From').fill('2020-01-01');
    // The next choice is made on the page that shows this one.
    await sheet.getByText('2020-01-01 to ').waitFor();
    await page.getByLabel('To').fill('2099-12-31');
    await sheet.getByText('2020-01-01 to 2099-12-31').waitFor();
    await sheet.getByText('Withdrawal requested: set aside').waitFor();
    await sheet.getByText('1,480.00 USD').last().waitFor();
    await lookAt(page, 'statement');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').count()).toBe(await sheet.getByRole('navigation').count());
    for (const name of ['Print', 'CSV', 'This month', 'Next'])
      expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
    await page.emulateMedia({ media: 'screen' });
    // As a period of more lines than a page holds: all pages are brought together, and each line is on paper.
    const inPages = '**/statement?**';
    await page.route(inPages, (route) =>
      route.continue({ url: route.request().url().replace('limit=100', 'limit=2') }),
    );
    await page.reload();
    await sheet.getByText('This page shows a part of it').waitFor();
    expect(await sheet.getByRole('row').count()).toBe(3);
    await page.evaluate('window.print = () => document.documentElement.setAttribute("data-printed", "")');
    await page.getByRole('button', { name: 'Print' }).click();
    await page.locator('[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print' });
    const movements = await sheet
      .getByRole('row')
      .filter({ hasText: /Funding|Withdrawal|Transfer|an admin/ })
      .allInnerTexts();
    expect(movements.length).toBeGreaterThan(3);
    expect(await sheet.getByText(`Rows 1–${movements.length}, oldest first`).isVisible()).toBe(true);
    for (const text of ['Opening balance', 'Closing balance', 'True at position'])
      expect([text, await sheet.getByText(text).filter({ visible: true }).count()]).toEqual([text, 1]);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    await page.unroute(inPages);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('statement-USD-2020-01-01-2099-12-31.csv');
    await page.getByLabel('To').fill('2019-12-31');
    await said(page, 'A period can’t end before it begins.');
    await lookAt(page, 'statement-backwards');
    await page.getByLabel('From').fill('2019-12-01');
    await said(page, 'No logs available.');
    await lookAt(page, 'statement-empty');
  });

  test('a balance leads to the account as it was then, and the history goes step by step by keyboard', async () => {
    await page.goto('/auth/dashboard?why=USD');
    await page
      .getByRole('link', { name: /^The account then/ })
      .last()
      .click();
    await page.waitForURL(/\/auth\/history\/dashboard\?at=\d+$/);
    await page.getByRole('heading', { name: 'Funding' }).waitFor();
    const row = page.getByRole('row', { name: /^Wallet, USD/ });
    await row.getByText('+1,480.00').waitFor();
    await lookAt(page, 'history');
    await page.getByRole('slider', { name: 'Moment' }).focus();
    await page.keyboard.press('Home');
    await page.getByRole('heading', { name: 'Account opened' }).waitFor();
    expect(await focused()).toBe('INPUT');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**/auth/history/dashboard?at=1');
    await page.getByRole('button', { name: 'Step back', disabled: false }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('BUTTON');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Account opened' }).waitFor();
    // It is checked once the address says so, which is not at once.
    await page.getByRole('radio', { name: 'Now' }).click();
    await row.getByText('−1,480.00').waitFor();
    await lookAt(page, 'history-now');
    // Nothing plays for who asks for no motion, as this browser does.
    const play = page.getByRole('button', { name: 'Play' });
    expect(await play.count()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await play.waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await play.waitFor({ state: 'hidden' });
  });

  test('a message to support is sent', async () => {
    await page.goto('/auth/account-support/dashboard');
    await page.getByRole('button', { name: 'Send message' }).click();
    await said(page, 'Please enter a message.');
    await lookAt(page, 'support');
    // The rest by keyboard alone: from the field that was refused, which has the focus, to the button.
    expect(await focused()).toBe('TEXTAREA');
    await page.keyboard.type('When are they back?');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('BUTTON');
    const { promise: looked, resolve: goOn } = Promise.withResolvers<void>();
    await page.route(`**${routes.sendMessage.path}`, async (route) => {
      await looked;
      await route.fallback();
    });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Please wait' }).waitFor();
    goOn();
    await said(page, 'Message sent successfully!');
    await page.getByRole('button', { name: 'Send message' }).waitFor();
  });

  test('settings change who one is, how one looks, and how one signs in', async () => {
    await page.goto(SETTINGS);
    await page.getByLabel('First name').waitFor();
    const image = page.getByLabel('Profile image');
    await image.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await said(page, 'Failed to upload image.');
    await image.setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: PNG });
    const canvas = page.getByRole('img', { name: /^Your picture as it will be cut/ });
    await canvas.focus();
    await page.keyboard.press('ArrowRight');
    await lookAt(page, 'settings-crop');
    await page.getByRole('button', { name: 'Use picture' }).click();
    await said(page, 'Profile image updated successfully!');
    await page.locator('header img').waitFor();

    await page.getByLabel('Phone').fill('+234 800 111 111');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await said(page, 'User info updated successfully!');
    await page.getByLabel('Old password').fill('wrong horse battery');
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Confirm new password').fill('battery horse');
    await page.getByRole('button', { name: 'Change password' }).click();
    await said(page, 'Passwords do not match');
    await lookAt(page, 'settings');
    await page.getByLabel('Confirm new password').fill(NEW_PASSWORD);
    await page.getByLabel('Old password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await said(page, 'Password updated successfully!');
    await said(page, 'This device');
    await page.getByRole('list', { name: 'Security history' }).getByText('Password changed').waitFor();
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/preferences'));
    await page.getByRole('radio', { name: 'Dark' }).check();
    expect((await kept).status()).toBe(200);
    await page.reload();
    await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
    const again = page.waitForResponse((answer) => answer.url().endsWith('/preferences'));
    await page.getByRole('radio', { name: 'System' }).check();
    expect((await again).status()).toBe(200);
  });

  test('dates and amounts are written as the account says, on whatever device', async () => {
    await page.getByLabel('Dates and numbers').selectOption('de-DE');
    await page.getByLabel('Time zone').selectOption('Pacific/Kiritimati');
    await page.getByRole('button', { name: 'Save display' }).click();
    await said(page, 'Display preferences saved.');
    await page.evaluate(`localStorage.removeItem('lode-display')`);
    await page.goto('/auth/dashboard');
    await said(page, '1.155,00');
    await page.goto(SETTINGS);
    await page.getByLabel('Dates and numbers').selectOption('standard');
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByRole('button', { name: 'Save display' }).click();
    await said(page, 'Display preferences saved.');
  });

  test('another wallet address waits, and the one in force stays once that is canceled', async () => {
    await page.goto(SETTINGS);
    const form = page.getByRole('form', { name: 'Where withdrawals go' });
    const waits = form.getByText('Another address waits');
    await form.getByRole('radio', { name: /^USDT/ }).check();
    await form.getByText(ADDRESS).waitFor();
    await form.getByLabel('Wallet address', { exact: true }).fill(OTHER);
    await form.getByLabel('Your password').fill(NEW_PASSWORD);
    await form.getByRole('button', { name: 'Save address' }).click();
    await waits.waitFor();
    await form.getByText(OTHER).waitFor();
    await lookAt(page, 'settings-address-waits');
    await page.goto('/auth/withdrawal-request/dashboard');
    await page.getByRole('radio', { name: /^USDT/ }).check();
    for (const shown of [ADDRESS, OTHER]) await page.getByText(shown).waitFor();
    await page.getByRole('radio', { name: /^BTC/ }).check();
    await page.getByText('Save an address for BTC in').waitFor();
    await lookAt(page, 'withdrawal-no-address');
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL(`**${SETTINGS}`);
    await form.getByRole('radio', { name: /^USDT/ }).check();
    await form.getByRole('button', { name: 'Cancel the change' }).click();
    await said(page, 'The wallet address stays as it is.');
    await waits.waitFor({ state: 'detached' });
    await form.getByText(ADDRESS).waitFor();
    expect(await form.getByText(OTHER).count()).toBe(0);
  });

  test('a pin that is changed in settings is the one that a transfer takes', async () => {
    const form = page.getByRole('form', { name: 'Set a transfer pin' });
    await form.getByText('A new pin takes the place of the one you have.').waitFor();
    await form.getByLabel('New transfer pin').fill('2468');
    await form.getByLabel('Your password').fill(NEW_PASSWORD);
    await form.getByRole('button', { name: 'Set pin' }).click();
    await said(page, 'Transfer pin updated successfully!');
    const { accountNumber } = await jonas.get('me');
    await page.goto('/auth/transfer/dashboard');
    await page.getByLabel('Account number').fill(accountNumber);
    await page.locator('[readonly][value="Jonas Lindqvist"]').waitFor();
    await page.getByRole('radio', { name: /^USDT/ }).check();
    await page.getByLabel('Amount, USD').fill('5');
    for (const [pin, words] of [
      ['4711', 'Wrong transfer pin. Tries left: 4.'],
      ['2468', 'Transfer submitted successfully!'],
    ] as const) {
      await page.getByLabel('Transfer pin').fill(pin);
      await page.getByRole('button', { name: 'Submit transfer' }).click();
      await said(page, words);
    }
    await page.waitForURL('**/transfer-history/*');
  });

  test('a device that is signed out in settings loses its session, one by one or all but this one', async () => {
    const others = await Promise.all([1, 2, 3].map(() => person(browser, { baseURL: program.address })));
    for (const { page: other } of others) {
      await enterPassword(other, amara.email, NEW_PASSWORD);
      await other.waitForURL('**/auth/dashboard');
    }
    /** Whose pages lead to the sign-in page when they are loaded again. */
    const out = async () => {
      const places: boolean[] = [];
      for (const { page: other } of others) {
        await other.goto(SETTINGS);
        const login = other.getByRole('heading', { level: 1, name: 'Login' });
        await login
          .or(other.getByRole('list', { name: 'Devices' }))
          .first()
          .waitFor();
        places.push(new URL(other.url()).pathname === '/login');
      }
      return places;
    };
    await page.goto(SETTINGS);
    const devices = page.getByRole('list', { name: 'Devices' }).getByRole('listitem');
    await devices.nth(3).waitFor();
    await devices.filter({ hasText: 'This device' }).waitFor();
    await lookAt(page, 'settings-devices');
    await devices
      .getByRole('button', { name: /^Sign out / })
      .first()
      .click();
    await said(page, 'Signed out');
    await devices.nth(3).waitFor({ state: 'detached' });
    const left = await out();
    expect(left.filter((isOut) => isOut)).toHaveLength(1);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await said(page, 'Signed out everywhere else');
    await devices.nth(1).waitFor({ state: 'detached' });
    expect(await devices.count()).toBe(1);
    expect(await out()).toEqual([true, true, true]);
    await page.reload();
    await said(page, 'This device');
    for (const { context, complaints: heard } of others) {
      expect(heard).toEqual([]);
      await context.close();
    }
  });

  test('whoever signs out is on the public page, and has to sign in again', async () => {
    await page.goto('/auth/dashboard');
    await page.getByRole('navigation', { name: 'Actions' }).getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Invest in Bitcoin Mining' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.goto('/auth/dashboard');
    await page.waitForURL('**/login*');
    // The address is that of the page before the server's page is there, which the next step must not cut off.
    await page.getByLabel('E-mail').waitFor();
    await enterPassword(page, amara.email, NEW_PASSWORD);
    await page.waitForURL('**/auth/dashboard');
  });

  test('who is suspended is told of it where they come back to, and goes on once that is over', async () => {
    const ada = await newPerson(program, ['Ada', 'Obi']);
    const { page: own, complaints: heard, context } = await person(browser, { baseURL: program.address });
    await enterPassword(own, ada.email);
    await own.waitForURL('**/auth/dashboard');
    // A page of the wallet would leave by itself.
    await own.goto('/who-we-are');
    const params = { userId: ada.userId };
    await admin.get('suspend', { params, body: { reason: 'A stolen card.' } });
    const isTold = () =>
      own.getByRole('status').getByText('Account suspended. Please contact admin.').waitFor();
    for (const _ of ['once', 'twice']) {
      await own.goto(SETTINGS);
      await own.waitForURL('**/login?next=*');
      await isTold();
    }
    await lookAt(own, 'login-suspended');
    await enterPassword(own, ada.email);
    await isTold();
    await enterPassword(own, ada.email, 'wrong horse battery');
    await own.getByText('Login failed: Wrong e-mail or password.').waitFor();
    expect(await own.getByText('Account suspended.').count()).toBe(0);
    await admin.get('activate', { params, body: {} });
    await enterPassword(own, ada.email);
    await own.waitForURL('**/auth/dashboard');
    expect(heard).toEqual([]);
    await context.close();
  });

  test('another e-mail address is asked for in settings, and is in force once the page of its link says so', async () => {
    const { page: own, complaints: heard, context } = await person(browser, { baseURL: program.address });
    const [taken, next] = [amara.email, 'jonas.lindqvist@example.net'];
    await enterPassword(own, jonas.email);
    await own.waitForURL('**/auth/dashboard');
    await own.goto(SETTINGS);
    const form = own.getByRole('form', { name: 'E-mail address' });
    const send = async (email: string, password: string, words: string) => {
      await form.getByLabel('New e-mail address').fill(email);
      await form.getByLabel('Your password').fill(password);
      await form.getByRole('button', { name: 'Send link' }).click();
      await own.getByText(words).first().waitFor();
    };
    await form.getByText('Verified').waitFor();
    await send('', PASSWORD, 'Please enter your new e-mail address.');
    await send(next, '', 'Please enter your password.');
    await send(next, 'wrong horse battery', 'Wrong e-mail or password.');
    await send(jonas.email, PASSWORD, 'This is your e-mail address already.');
    await send(taken, PASSWORD, `A link was sent to ${taken}.`);
    expect(program.printed()).not.toContain('/confirm-email#');
    await form.getByRole('button', { name: 'Cancel the change' }).click();
    await own.getByText('Your e-mail address stays as it is.').waitFor();
    await form.getByText('A new address waits for its link').waitFor({ state: 'detached' });
    await send(next, PASSWORD, `A link was sent to ${next}.`);
    await form.getByText('A new address waits for its link').waitFor();
    await lookAt(own, 'settings-email');

    const {
      page: other,
      complaints: others,
      context: elsewhere,
    } = await person(browser, {
      baseURL: program.address,
    });
    const link = await program.untilPrinted(/\/confirm-email#\S+/);
    await other.goto('/confirm-email');
    await other.getByText('This page is opened by the link of a mail.').waitFor();
    expect(await other.getByRole('button', { name: 'Use this e-mail address' }).isVisible()).toBe(false);
    await other.goto(link);
    await other.getByRole('button', { name: 'Use this e-mail address' }).waitFor();
    expect(other.url()).not.toContain('#');
    // Whoever only opens it changes nothing.
    await form.getByText(jonas.email).waitFor();
    await lookAt(other, 'confirm-email');
    const press = async (words: string) => {
      await other.getByRole('button', { name: 'Use this e-mail address' }).click();
      await other.getByRole('status').first().getByText(words).waitFor();
    };
    await press('Your e-mail address was changed.');
    await other.waitForURL('**/login');
    await other.goto(link);
    await press('This link was used, has expired or never existed.');
    // Where it was asked for goes on, and sees it without being loaded again.
    await form.getByText(next).waitFor();
    await form.getByText('A new address waits for its link').waitFor({ state: 'detached' });
    await own.reload();
    await own
      .getByRole('list', { name: 'Security history' })
      .getByText('E-mail address changed')
      .first()
      .waitFor();
    await own.goto('/auth/dashboard');
    await own.getByRole('navigation', { name: 'Actions' }).getByRole('button', { name: 'Logout' }).click();
    await own.getByRole('heading', { name: 'Invest in Bitcoin Mining' }).waitFor();
    await enterPassword(own, jonas.email);
    await own.getByText('Login failed: Wrong e-mail or password.').waitFor();
    await enterPassword(own, next);
    await own.waitForURL('**/auth/dashboard');
    expect([...heard, ...others]).toEqual([]);
    await context.close();
    await elsewhere.close();
  });

  test('one’s data comes as a file, and an empty account is closed for ever, once its owner proved to be it', async () => {
    const ines = await newPerson(program, ['Ines', 'Carvalho']);
    const { page: own, complaints: heard, context } = await person(browser, { baseURL: program.address });
    await enterPassword(own, ines.email);
    await own.waitForURL('**/auth/dashboard');
    await own.goto('/auth/account-setting/dashboard');
    const data = own.getByRole('form', { name: 'Download my data' });
    const take = data.getByRole('button', { name: 'Download my data' });
    await take.click();
    await data.getByText('Please enter your password.').waitFor();
    await data.getByLabel('Your password').fill('wrong horse battery');
    await take.click();
    await data.getByText('Wrong e-mail or password.').waitFor();
    await data.scrollIntoViewIfNeeded();
    await lookAt(own, 'settings-data');
    await data.getByLabel('Your password').fill(PASSWORD);
    const [file] = await Promise.all([own.waitForEvent('download'), take.click()]);
    expect(file.suggestedFilename()).toBe('lode-data.json');
    const told = ownData.parse(JSON.parse(readFileSync(await file.path(), 'utf8')));
    expect(told.account).toMatchObject({ email: ines.email, firstname: 'Ines' });
    expect(told.events.map(({ type }) => type)).toContain('AccountOpened');
    await own.getByText('Your data was downloaded.').waitFor();

    const otherTab = await context.newPage();
    await otherTab.goto('/auth/dashboard');
    await otherTab.getByRole('heading', { level: 1 }).waitFor();
    await own.getByRole('button', { name: 'Close account' }).click();
    const form = own.getByRole('form', { name: 'Close account' });
    const close = form.getByRole('button', { name: 'Close it for ever' });
    await form.getByLabel('Your e-mail address, to confirm').fill(amara.email);
    await form.getByLabel('Your password').fill(PASSWORD);
    await close.click();
    await form.getByText('Please type the e-mail address of your account.').waitFor();
    await form.scrollIntoViewIfNeeded();
    await lookAt(own, 'settings-close');
    await form.getByLabel('Your e-mail address, to confirm').fill(ines.email);
    await close.click();
    await own.waitForURL('**/login#closed');
    await own.getByRole('status').getByText('Your account is closed, for ever.').waitFor();
    await lookAt(own, 'account-closed');
    await otherTab.waitForURL('**/login');
    await enterPassword(own, ines.email);
    await own.getByText('Login failed: Wrong e-mail or password.').waitFor();
    expect(heard).toEqual([]);
    await context.close();
  });

  test('an account with money in it says why it can’t be closed', async () => {
    await page.goto('/auth/account-setting/dashboard');
    const part = page.getByRole('region', { name: 'Close account' });
    await part.getByText('Your account has money or open requests').waitFor();
    expect(await part.getByRole('button').count()).toBe(0);
  });

  test('no page complained, asked another host, or asked for what is an admin’s', () => {
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !url.replace(/^blob:/, '').startsWith(program.address))).toEqual([]);
    // Each of an admin's four screens has a file of its own at least.
    expect(adminFiles().size).toBeGreaterThanOrEqual(4);
    expect(adminsAmong(asked)).toEqual([]);
  });
});
