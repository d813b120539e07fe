import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { walkOf, type Walk } from './keyboard.js';
import { fund, newPerson, PASSWORD, PDF, requestFunding } from './people.js';
import { startProgram, type Program } from './program.js';

if (chromiumPath === undefined)
  console.warn('not run: money by the keyboard (no Chromium here; set CHROMIUM)');

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const RECEIPT = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from(PDF) };
/** More requests than a page of a list has. */
const REQUESTS = 11;

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Whatever has the focus is asserted to show it, at every stop on the way. */
inBrowser('forms and lists of money by keyboard alone', () => {
  let program: Program;
  let stop: () => Promise<void>;
  let complaints: Complaints;
  let walk: Walk;
  /** To read by, and never to act by: that is the keyboard’s. */
  let page: Pick<Page, 'getByText' | 'getByRole' | 'getByLabel' | 'waitForURL' | 'waitForEvent' | 'url'>;

  beforeAll(async () => {
    program = await startProgram();
    const admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    const amara = await newPerson(program, ['Amara', 'Nwosu']);
    await fund(admin, amara, '500', 'USDT');
    for (let count = 0; count < REQUESTS; count += 1) await requestFunding(amara, `${20 + count}`, 'BTC');
    const browser = await launch(chromiumPath ?? '');
    const opened = await person(browser, { baseURL: program.address });
    // What a person chooses in the window of their system, which no page sees.
    opened.page.on('filechooser', (chooser) => void chooser.setFiles(RECEIPT));
    complaints = opened.complaints;
    page = opened.page;
    walk = walkOf(opened.page);
    stop = () => browser.close();
    await walk.signIn(amara.email, PASSWORD);
    await page.waitForURL('**/auth/dashboard');
  });
  afterAll(async () => {
    await stop();
    await program.stop();
  });

  test('a fund request is sent with its evidence', async () => {
    const { keyboard, said, goTo, choose, fill, press } = walk;
    await goTo('new fund request');
    await page.waitForURL('**/auth/fund-account/dashboard');
    await keyboard.tabTo(/^radio /);
    await choose(/^radio USDT/);
    await fill({ 'Amount, USD': '40' });
    await press('button Choose file');
    await said('receipt.pdf');
    await press('button Submit request');
    await said('Your request has been submitted successfully!');
    await page.waitForURL('**/fund-request-history/*');
  });

  test('a list is narrowed and gone through page by page', async () => {
    const { keyboard, said, press } = walk;
    await page.getByRole('button', { name: 'View request of 40.00 USD' }).waitFor();
    await press('button Add filter');
    await keyboard.comesTo('menuitem Pending');
    await keyboard.press('ArrowDown');
    await keyboard.comesTo('menuitem confirmed');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'View request of 500.00 USD' }).waitFor();
    await keyboard.comesTo('button Add filter');
    await keyboard.tabTo('button Remove filter Status: confirmed', 'Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'View request of 40.00 USD' }).waitFor();
    await keyboard.comesTo('button Add filter');
    await press('button Next');
    await said(/^Rows 11–13/);
    await keyboard.tabTo('button Previous', 'Shift+Tab');
    await keyboard.press('Enter');
    await said(/^Rows 1–10/);
    const taken = page.waitForEvent('download');
    await press('button CSV');
    expect((await taken).suggestedFilename()).toBe('fund-requests.csv');
    await keyboard.comesTo('button CSV');
  });

  test('the first address is saved, and a withdrawal can be asked for', async () => {
    const { keyboard, said, goTo, choose, fill } = walk;
    await goTo('new withdrawal');
    await page.waitForURL('**/auth/withdrawal-request/dashboard');
    await keyboard.tabTo(/^radio /);
    await choose(/^radio USDT/);
    await fill({ 'Wallet address': ADDRESS, 'Your password': PASSWORD });
    await keyboard.press('Enter');
    await said('wallet address updated');
    await page.getByLabel('Amount, USD').waitFor();
    await keyboard.tabTo(/^radio /);
    await choose(/^radio USDT/);
    await fill({ 'Amount, USD': '25', 'Transfer pin or password': PASSWORD });
    await keyboard.press('Enter');
    await said('Your request has been submitted successfully!');
    await page.waitForURL('**/withdrawal-request-history/*');
    await page.getByRole('button', { name: 'View request of 25.00 USD' }).waitFor();
  });

  test('a statement is chosen and taken away', async () => {
    const { keyboard, said, goTo, choose, press } = walk;
    await goTo('statement');
    await page.waitForURL('**/auth/statement/dashboard');
    await press('button This year');
    await keyboard.tabTo('field From');
    await keyboard.tabTo('select Time zone');
    await keyboard.tabTo(/^radio /);
    await choose(/^radio USDT/);
    await page.getByRole('heading', { name: 'USDT statement' }).waitFor();
    await said('Closing balance');
    const taken = page.waitForEvent('download');
    await press('button CSV');
    expect((await taken).suggestedFilename()).toMatch(/^statement-USDT-\d{4}-01-01-\d{4}-12-31\.csv$/);
  });

  test('the account’s history is gone through event by event', async () => {
    const { keyboard, said, goTo, choose, press } = walk;
    await goTo('account history');
    await keyboard.tabTo('slider Moment');
    const slider = page.getByRole('slider', { name: 'Moment' });
    await said(/^event (\d\d) of \1$/);
    const last = Number(await slider.inputValue());
    expect(last).toBeGreaterThan(REQUESTS);
    await keyboard.press('ArrowLeft');
    await said(`event ${last} of ${last + 1}`);
    await press('button Step back');
    await said(`event ${last - 1} of ${last + 1}`);
    await keyboard.tabTo(/^radio /);
    await choose(/^radio Now/);
    await page.getByRole('columnheader', { name: 'Now' }).waitFor();
  });

  test('the movements of a wallet open, and close', async () => {
    const { keyboard, said, goTo, press } = walk;
    const WALLET = /^button .*USDT.*Transactions$/;
    await goTo('assets');
    await page.getByRole('button', { name: /USDT/ }).waitFor();
    await press(WALLET);
    await keyboard.comesTo('button Close');
    await page.getByRole('dialog', { name: 'USDT transactions' }).waitFor();
    await said(/credit of 500\.00 USD/);
    await keyboard.press('Escape');
    await keyboard.comesTo(WALLET);
    expect(complaints).toEqual([]);
  });
});
