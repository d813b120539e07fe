import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { fund, newPerson, requestFunding, type Person } from './people.js';
import { startProgram, type Program } from './program.js';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('an owner and an admin of another duty', () => {
  let program: Program;
  let browser: Browser;
  let mary: Person;
  let mei: Person;
  let sofia: Person;
  let requestId: string;
  let owners: Page;
  let link = '';
  const complaints: Complaints[] = [];

  /** Signs somebody in on a page of their own. */
  async function come(who: Person): Promise<Page> {
    const opened = await adminAt(browser, program, who);
    complaints.push(opened.complaints);
    return opened.page;
  }

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
    mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    mei = await newPerson(program, ['Mei', 'Tanaka']);
    await fund(mary, mei, '900', 'USDT');
    requestId = await requestFunding(mei, '1200', 'USDT');
    owners = await come(mary);
  });

  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  test('the owner invites somebody for a duty, who has it once they have registered', async () => {
    await owners.goto('/auth/invitations/dashboard');
    await owners.getByLabel('Duty').selectOption('auditor');
    await owners.getByRole('button', { name: 'Issue a link' }).click();
    link = (await owners.getByText(/\/auth\/register#invitation=/).textContent()) ?? '';
    sofia = await newPerson(program, ['Sofia', 'Marques'], link.split('invitation=')[1] ?? '');
    expect((await sofia.get('me')).duty).toBe('auditor');
  });

  test('the owner makes support of them, and can’t stop being the last owner', async () => {
    await owners.goto('/auth/admins/dashboard');
    const change = async (name: string, duty: string) => {
      await owners.getByRole('button', { name: `Change duty of ${name}` }).click();
      const dialog = owners.getByRole('dialog', { name: `Change the duty of ${name}` });
      await dialog.getByLabel('Duty').selectOption(duty);
      await dialog.getByLabel('Reason').fill('Answers customers from May on');
      await dialog.getByRole('button', { name: 'Change duty' }).click();
      return dialog;
    };
    const dialog = await change('Sofia Marques', 'support');
    await owners.getByText('This admin’s duty is support from now on.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await owners.getByRole('cell', { name: 'Support' }).waitFor();
    await lookAt(owners, 'admin-admins');
    await change('Mary Okafor', 'auditor');
    await owners.getByText(/^This is the only owner who may come in\./).waitFor();
  });

  test('support sees people and no act that moves money, and is refused one over HTTP', async () => {
    const page = await come(sofia);
    await page.getByRole('link', { name: 'Create User' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Funding', exact: true }).count()).toBe(0);
    await page.goto(`/auth/User/dashboard/${mei.userId}`);
    await page.getByRole('button', { name: 'Block User' }).waitFor();
    for (const name of ['Fund Wallet', 'Restart mining', 'Erase'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(`/fund-request-history/${sofia.userId}`);
    await page.getByRole('button', { name: 'View request of 1,200.00 USD by Mei Tanaka' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    await page.goto('/auth/fund-account/dashboard');
    await page.getByText('Your account has no access to this page.').waitFor();
    const params = { userId: mei.userId, requestId };
    await expect(sofia.get('confirmFunding', { params, body: {} })).rejects.toThrow(/403.*duty_missing/);
  });

  test('the owner erases a blocked customer, and nobody who has money or waits for a decision', async () => {
    const tom = await newPerson(program, ['Tom', 'Reed']);
    const erase = async ({ userId }: Person, name: string) => {
      await mary.get('suspend', { params: { userId }, body: { reason: 'Asked for in writing' } });
      await owners.goto(`/auth/User/dashboard/${userId}`);
      await owners.getByRole('button', { name: 'Erase', exact: true }).click();
      const dialog = owners.getByRole('dialog', { name: `Erase ${name}` });
      const { accountNumber } = await mary.get('account', { params: { userId } });
      await dialog.getByLabel(/^Type the account number/).fill(accountNumber);
      await dialog.getByLabel('Reason').fill('Asked for in writing');
      await dialog.getByRole('button', { name: 'Erase for ever' }).click();
    };
    await erase(mei, 'Mei Tanaka');
    await owners.getByText(/^This account has money or open requests\./).waitFor();
    await lookAt(owners, 'admin-erase');
    await erase(tom, 'Tom Reed');
    await owners.getByText('The account is erased.').waitFor();
    await owners.getByText('The account is closed for ever.').waitFor();
  });

  test('nothing complained but for what was refused', () => {
    expect(complaints.flat().filter((text) => !/status of 403/.test(text))).toEqual([]);
  });
});
