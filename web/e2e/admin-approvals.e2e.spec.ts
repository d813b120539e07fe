import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { adminPaths, routes } from '#contracts';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { doTwice } from './failures.js';
import { lookAt } from './look.js';
import { newPerson, requestFunding, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

const APPROVED = ['Failed to approve the transaction.', 'Transaction approved successfully!'] as const;
const REJECTED = ['Failed to reject the transaction.', 'Transaction rejected successfully!'] as const;
const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('what takes two admins', () => {
  let program: Program;
  let browser: Browser;
  let amara: Person;
  let mary: Person;
  let page: Page;
  let other: Page;
  const complaints: Complaints[] = [];

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
    mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    const { token } = await mary.get('inviteAdmin');
    const jonas = await newPerson(program, ['Jonas', 'Berg'], token);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    await requestFunding(amara, '2000', 'BTC');
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

  test('a limit is set, with a reason, and not one that there are too few admins for', async () => {
    await page.goto(adminPaths.approvalLimits);
    await page.getByText(/2 admins may decide now/).waitFor();
    await page.getByRole('button', { name: 'Add a limit for BTC' }).click();
    await page.getByLabel('Above, USD').fill('1000');
    await page.getByLabel('Admins who approve').fill('3');
    await page.getByRole('button', { name: 'Set limits' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set the approval limits' });
    await dialog.getByLabel('Reason').fill('As agreed');
    await dialog.getByRole('button', { name: 'Set limits' }).click();
    await page.getByText('3 approvals need as many admins who may decide; there are 2.').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Admins who approve').fill('2');
    await page.getByRole('button', { name: 'Set limits' }).click();
    await dialog.getByLabel('Reason').fill('As agreed');
    await dialog.getByRole('button', { name: 'Set limits' }).click();
    await page.getByText('Approval recorded, 1 of 2.').first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/^A change that Mary Okafor asked for waits for another admin\./).waitFor();
    await lookAt(page, 'admin-approval-limits');
  });

  test('it waits for a second admin, who finds it among what needs attention, approves it, and everybody sees it', async () => {
    await other.goto(adminPaths.adminDashboard);
    await other.getByRole('link', { name: 'Decide the change of Approval limits' }).click();
    const dialog = other.getByRole('dialog', { name: 'Change that waits' });
    await dialog.getByText('above 1,000.00: 2 admins').waitFor();
    await lookAt(other, 'admin-change');
    const approve = () => dialog.getByRole('button', { name: 'Approve' }).click();
    await doTwice(other, routes.approveChange, approve, ...APPROVED);
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('above 1,000.00: 2 admins').first().waitFor();
    await page.getByText(/waits for another admin/).waitFor({ state: 'detached' });
  });

  test('one’s own is taken back, and changes nothing', async () => {
    await page.goto(adminPaths.prices);
    await page.getByLabel('BTC, US dollars for one').fill('70000');
    await page.getByRole('button', { name: 'Set prices' }).click();
    const asked = page.getByRole('dialog', { name: 'Set prices' });
    await asked.getByLabel('Reason').fill('The market moved');
    await asked.getByRole('button', { name: 'Set prices' }).click();
    await page.getByText('Approval recorded, 1 of 2.').first().waitFor();
    await page.getByRole('link', { name: 'Approvals', exact: true }).last().click();
    await page.getByRole('button', { name: 'Open the change of Prices by Mary Okafor' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change that waits' });
    const takeBack = () => dialog.getByRole('button', { name: 'Take back' }).click();
    await doTwice(page, routes.rejectChange, takeBack, ...REJECTED);
    await page.goto(adminPaths.prices);
    await page.getByText('Nobody has changed it yet.').waitFor();
  });

  test('the first approval leaves a request Pending, and a second admin’s confirms it', async () => {
    await page.goto('/auth/transaction/dashboard?status=Pending');
    await page.getByRole('button', { name: 'Decide request of 2,000.00 USD by Amara Nwosu' }).click();
    const dialog = page.getByRole('dialog', { name: 'Transaction Action' });
    await dialog.getByText(/^It takes 2 admins\. Yours is approval 1 of 2/).waitFor();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Approval recorded, 1 of 2.').first().waitFor();
    await page.getByText('1 of 2 approvals').first().waitFor();
    await other.goto(adminPaths.approvals);
    await other.getByRole('button', { name: 'Open fund request of 2,000.00 USD for Amara Nwosu' }).click();
    const second = other.getByRole('dialog', { name: 'Transaction Action' });
    await second.getByText('It takes 2 admins, and yours is the last approval.').waitFor();
    await second.getByRole('button', { name: 'Confirm' }).click();
    await said(other, 'Transaction approved successfully!');
    await other.getByText('No request or adjustment waits for another admin.').waitFor();
  });

  test('an adjustment waits for a second admin, and one rejection closes it', async () => {
    const params = { userId: amara.userId };
    await mary.get('adjustWallet', {
      params,
      body: { amounts: { BTC: '1500' }, reason: 'Paid twice' },
    });
    const row = 'Open adjustment of +1,500.00 USD for Amara Nwosu';
    await other.getByRole('button', { name: row }).waitFor();
    await lookAt(other, 'admin-approvals');
    await page.goto(`${adminPaths.approvals}?person=${amara.userId}`);
    await page.getByRole('button', { name: row }).click();
    await page.getByText('Jonas Berg may decide it.').waitFor();
    await other.getByRole('button', { name: row }).click();
    const dialog = other.getByRole('dialog', { name: 'Waiting adjustment' });
    await dialog.getByText('3,500.00', { exact: true }).waitFor();
    await lookAt(other, 'admin-waiting-adjustment');
    await dialog.getByLabel('Reason, kept with the decision').fill('It was paid once');
    const reject = () => dialog.getByRole('button', { name: 'Reject' }).click();
    await doTwice(other, routes.rejectAdjustment, reject, ...REJECTED);
    await page.getByText('It was decided or ran out while it was open here.').waitFor();
  });

  test('another adjustment is approved by the second admin, which books it', async () => {
    const body = { amounts: { BTC: '1200' }, reason: 'Paid in' };
    await mary.get('adjustWallet', { params: { userId: amara.userId }, body });
    await other.goto(adminPaths.approvals);
    await other.getByRole('button', { name: 'Open adjustment of +1,200.00 USD for Amara Nwosu' }).click();
    const dialog = other.getByRole('dialog', { name: 'Waiting adjustment' });
    const approve = () => dialog.getByRole('button', { name: 'Approve' }).click();
    await doTwice(other, routes.approveAdjustment, approve, ...APPROVED);
    await dialog.waitFor({ state: 'detached' });
    await other.goto(`/auth/User/dashboard/${amara.userId}`);
    await other.getByText('3,200.00').first().waitFor();
    expect(complaints.flat().filter((text) => !text.includes('status of 503'))).toEqual([]);
  });
});
