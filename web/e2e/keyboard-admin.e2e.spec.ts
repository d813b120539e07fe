import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { walkOf, type Walk } from './keyboard.js';
import { newPerson, PASSWORD, requestFunding, type Person } from './people.js';
import { startProgram, type Program } from './program.js';

if (chromiumPath === undefined)
  console.warn('not run: the back office by its keyboard (no Chromium here; set CHROMIUM)');

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Whatever has the focus is asserted to show it, at every stop on the way. */
inBrowser('the back office by keyboard alone', () => {
  let program: Program;
  let stop: () => Promise<void>;
  let amara: Person;
  let complaints: Complaints;
  let walk: Walk;
  /** To read by, and never to act by: that is the keyboard’s. */
  let page: Pick<Page, 'getByText' | 'getByRole' | 'waitForURL'>;

  beforeAll(async () => {
    program = await startProgram();
    const admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    for (const amount of ['41', '42', '43', '44']) await requestFunding(amara, amount, 'BTC');
    const browser = await launch(chromiumPath ?? '');
    const opened = await person(browser, { baseURL: program.address });
    complaints = opened.complaints;
    page = opened.page;
    walk = walkOf(opened.page);
    stop = () => browser.close();
    await walk.signIn(admin.email, PASSWORD);
    await page.waitForURL('**/auth/dashboard');
  });
  afterAll(async () => {
    await stop();
    await program.stop();
  });

  const decide = (amount: string) => `button Decide request of ${amount}.00 USD by Amara Nwosu`;

  test('a request is confirmed, and another rejected, by a key each', async () => {
    const { keyboard, said, goTo } = walk;
    await goTo('funds management');
    // The dashboard has the same rows, and stands until this screen's code is there.
    await page.getByRole('heading', { level: 1, name: 'Funds Management' }).waitFor();
    await page.getByRole('button', { name: 'Decide request of 44.00 USD by Amara Nwosu' }).waitFor();
    await keyboard.press('j');
    await keyboard.comesTo(decide('44'));
    await keyboard.press('c');
    await keyboard.comesTo('button Confirm');
    await keyboard.press('c');
    await said('Transaction approved successfully!');
    await keyboard.comesTo('button View request of 44.00 USD by Amara Nwosu');
    await keyboard.press('j');
    await keyboard.comesTo(decide('43'));
    await keyboard.press('r');
    await keyboard.comesTo('button Reject');
    await keyboard.press('r');
    await said('Transaction rejected successfully!');
    await keyboard.comesTo('button View request of 43.00 USD by Amara Nwosu');
  });

  test('what is selected is decided together', async () => {
    const { keyboard, said, press } = walk;
    for (const amount of ['42', '41']) {
      await keyboard.press('j');
      await keyboard.comesTo(decide(amount));
      await keyboard.press('x');
    }
    await said('2 selected');
    await keyboard.press('c');
    await page.getByRole('dialog', { name: 'Confirm selected requests' }).waitFor();
    await press('button Confirm 2');
    await said('2 of 2 requests are confirmed.');
    await press('button Close list');
    await keyboard.comesTo('button View request of 41.00 USD by Amara Nwosu');
  });

  test('a customer is found, funded and blocked', async () => {
    const { keyboard, said, goTo, fill, press } = walk;
    await goTo('user management');
    await page.getByRole('button', { name: 'View Amara Nwosu' }).waitFor();
    await press('button View Amara Nwosu');
    await page.waitForURL(`**/auth/User/dashboard/${amara.userId}`);
    await page.getByRole('button', { name: 'Fund Wallet' }).waitFor();
    await press('button Fund Wallet');
    await page.getByRole('dialog', { name: 'Fund Wallet' }).waitFor();
    await fill({ 'Amount in USDT, USD': '100', Reason: 'Paid in cash' });
    await press('button Update wallet');
    await said('Wallet updated successfully.');
    await keyboard.comesTo('button Fund Wallet');
    await press('button Block User');
    await page.getByRole('dialog', { name: 'Suspend Amara Nwosu' }).waitFor();
    await fill({ Reason: 'Asked for by phone' });
    await press('button Block User');
    await said('User blocked successfully!');
    await keyboard.comesTo('button Activate');
  });

  test('an event is opened beside the list, and closed', async () => {
    const { keyboard, said, goTo, press } = walk;
    await goTo('events');
    await page.waitForURL('**/auth/audit/events');
    await page.getByRole('button', { name: 'AccountSuspended', exact: true }).waitFor();
    await press('button AccountSuspended');
    await keyboard.comesTo('heading AccountSuspended');
    await said('Asked for by phone');
    await keyboard.press('Escape');
    await keyboard.comesTo('button AccountSuspended');
  });

  test('a price is set, with a reason', async () => {
    const { keyboard, said, goTo, fill, press } = walk;
    await goTo('prices');
    await page.waitForURL('**/auth/prices/dashboard');
    await page.getByRole('form', { name: 'Prices' }).waitFor();
    await keyboard.tabTo('field PI, US dollars for one');
    await keyboard.press('Control+a');
    await keyboard.type('41.5');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Set prices' }).waitFor();
    await fill({ Reason: 'Agreed on Monday' });
    await press('button Set prices');
    await said('Prices updated successfully.');
    await keyboard.comesTo('field PI, US dollars for one');
    expect(complaints).toEqual([]);
  });
});
