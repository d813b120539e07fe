import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { adminPaths, pagePaths, routes } from '#contracts';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { AWAY, doTwice, failed, handled, type Called } from './failures.js';
import { lookAt } from './look.js';
import { fund, newPerson, PASSWORD, PNG, requestFunding, signedIn, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const WRONG = 'Something went wrong.';
const UPDATED = 'Product updated successfully!';
const APPROVED = ['Failed to approve the transaction.', 'Transaction approved successfully!'] as const;
const REJECTED = ['Failed to reject the transaction.', 'Transaction rejected successfully!'] as const;
const REPORTS = '/auth/account-support/dashboard';
const inBrowser = chromiumPath === undefined ? describe.skip : describe;

/** An act: where it is, what comes before it, what it asks of the service, and what is said when that fails and when it works. */
type Act = {
  readonly at: () => string;
  readonly before?: () => Promise<unknown>;
  readonly route: Called;
  readonly act: () => Promise<unknown>;
  readonly told: readonly [refused: string, done: string];
  /** The name of a picture of what stands open before it. */
  readonly look?: string;
};

inBrowser('an admin whose service fails once', () => {
  let program: Program;
  let browser: Browser;
  let mary: Person;
  let amara: Person;
  let jonas: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: Complaints;

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
    mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    jonas = await newPerson(program, ['Jonas', 'Berg']);
    const withdraw = async (person: Person, amount: string) => {
      const [proof, params] = [{ password: PASSWORD }, { userId: person.userId }];
      await person.get('saveWalletAddress', { params, body: { walletAddress: ADDRESS, proof } });
      await person.get('requestWithdrawal', { body: { amount, currency: 'USDT', proof } });
    };
    await fund(mary, amara, '500', 'USDT');
    for (const amount of ['20', '25', '30']) await withdraw(amara, amount);
    await fund(mary, jonas, '50', 'USDT');
    await withdraw(jonas, '40');
    const params = { userId: jonas.userId };
    // The withdrawal would leave half a dollar: less than an account keeps.
    const body = { amounts: { USDT: '-9.50' }, reason: 'Booked twice' };
    await mary.get('adjustWallet', { params, body });
    for (const amount of ['41', '42', '44', '45']) await requestFunding(amara, amount, 'BTC');
    const message = { subject: 'Fees', message: 'What does a payout cost?' };
    for (const body of [message, message]) await amara.get('sendMessage', { body });
    await mary.get('suspend', { params, body: { reason: 'Asked for by phone' } });
    const form = new FormData();
    form.set('file', new File([PNG], 'rig.png', { type: 'image/png' }));
    const { fileId: image } = await mary.get('uploadProductImage', { form });
    const texts = { productName: 'Rig One', ownerName: 'Ann', description: 'A rig.', title: 'Rig' };
    const product = { ...texts, subtitle: 'One', amount: '249.99', image, ownerImage: image };
    await mary.get('createProduct', { body: product });
    ({ page, context, complaints } = await adminAt(browser, program, mary));
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  const press = (name: string) => () => page.getByRole('button', { name, exact: true }).first().click();
  /** Does what a dialog asks again about. */
  const agree = (name: string, word: string) => () =>
    page.getByRole('dialog', { name }).getByRole('button', { name: word, exact: true }).click();
  /** The same with the reason that it asks for. */
  const reason = (name: string, word: string) => async () => {
    await page
      .getByRole('dialog', { name })
      .getByLabel(/^Reason/)
      .fill('Asked for by phone');
    await agree(name, word)();
  };
  const decide = (amount: string) => press(`Decide request of ${amount}.00 USD by Amara Nwosu`);
  const withdrawals = () => `/withdrawal-request-history/${mary.userId}`;
  const funds = () => `${pagePaths.transactions}?status=Pending`;
  const customer = () => `/auth/User/dashboard/${amara.userId}`;
  const suspended = () => `/auth/User/dashboard/${jonas.userId}`;
  const invitations = () => adminPaths.invitations;
  const products = () => adminPaths.productList;
  const openReport = press('View message of Amara Nwosu');
  const openProduct = press('Edit Rig One');

  const acts: Readonly<Record<string, Act>> = {
    'a withdrawal was not approved': {
      at: withdrawals,
      before: decide('20'),
      route: routes.confirmWithdrawal,
      act: agree('Transaction Details', 'Approve'),
      told: APPROVED,
    },
    'a withdrawal was not rejected': {
      at: withdrawals,
      before: decide('30'),
      route: routes.rejectWithdrawal,
      act: agree('Transaction Details', 'Reject'),
      told: REJECTED,
    },
    'a fund request was not confirmed': {
      at: funds,
      before: decide('44'),
      route: routes.confirmFunding,
      act: agree('Transaction Action', 'Confirm'),
      told: APPROVED,
    },
    'a fund request was not rejected': {
      at: funds,
      before: decide('45'),
      route: routes.rejectFunding,
      act: agree('Transaction Action', 'Reject'),
      told: REJECTED,
    },
    'a user was not activated': {
      at: suspended,
      before: press('Activate'),
      route: routes.activate,
      act: reason('Activate Jonas Berg', 'Activate'),
      told: ['Failed to activate the user.', 'User activated successfully!'],
    },
    'a lost second factor was not taken off': {
      at: suspended,
      before: press('Take it off'),
      route: routes.removeLostSecondFactor,
      act: reason('Take off the second factor of Jonas Berg', 'Take it off'),
      told: ['The second factor could not be taken off.', 'Second factor is off'],
      look: 'admin-lost-factor',
    },
    'mining was not stopped': {
      at: customer,
      before: press('Stop'),
      route: routes.stopBonus,
      act: reason('Stop mining', 'Stop'),
      told: ['Mining could not be stopped.', 'Mining stopped successfully'],
      look: 'admin-stop-mining',
    },
    'mining was not restarted': {
      at: customer,
      before: press('Restart mining'),
      route: routes.restartBonus,
      act: reason('Restart mining', 'Restart'),
      told: ['Mining could not be restarted.', 'Mining restarted successfully'],
    },
    'a note was not saved': {
      at: customer,
      before: () => page.getByLabel('New note').fill('Called about the payout fee.'),
      route: routes.addNote,
      act: press('Add note'),
      told: ['Failed to save the note.', 'Note added'],
    },
    'a session was not ended': {
      at: customer,
      route: routes.endSessionOf,
      act: () => page.getByRole('button', { name: /^Sign out .+ at / }).click(),
      told: [AWAY, 'Signed out'],
    },
    'a sign-out everywhere was not done': {
      at: customer,
      before: async () => {
        await signedIn(program, amara.email);
        await page.reload();
        await press('Sign out everywhere')();
      },
      route: routes.endSessionsOf,
      act: agree('Sign out everywhere', 'Sign out everywhere'),
      told: ['The sessions could not be ended.', 'Signed out everywhere'],
    },
    'an invitation was not issued': {
      at: invitations,
      route: routes.inviteAdmin,
      act: press('Issue a link'),
      told: [AWAY, 'Invitation issued'],
    },
    'an invitation was not revoked': {
      at: invitations,
      before: press('Revoke the invitation by Mary Okafor'),
      route: routes.revokeInvitation,
      act: reason('Revoke the invitation', 'Revoke'),
      told: ['The invitation could not be revoked.', 'Invitation revoked'],
      look: 'admin-revoke',
    },
    'a report was not marked as read': {
      at: () => REPORTS,
      before: openReport,
      route: routes.readMessage,
      act: press('Mark as read'),
      told: [WRONG, 'Message marked as read.'],
      look: 'admin-report',
    },
    'a report was not marked as unread': {
      at: () => REPORTS,
      before: openReport,
      route: routes.unreadMessage,
      act: press('Mark as unread'),
      told: [WRONG, 'Message marked as not read.'],
    },
    'a report was not forgotten': {
      at: () => REPORTS,
      before: () => openReport().then(press('Forget')),
      route: routes.forgetMessage,
      act: reason('Forget this message', 'Forget for ever'),
      told: [WRONG, 'Message forgotten.'],
    },
    'a product was not taken out of stock': {
      at: products,
      before: openProduct,
      route: routes.setProductStock,
      act: press('Out of stock'),
      told: [WRONG, UPDATED],
      look: 'admin-product',
    },
    'a product was not edited': {
      at: products,
      before: () => openProduct().then(() => page.getByLabel('Title', { exact: true }).fill('Rig, new')),
      route: routes.changeProduct,
      act: press('Save changes'),
      told: [WRONG, UPDATED],
    },
    'a product was not deleted': {
      at: products,
      before: () => openProduct().then(agree('Rig One', 'Delete')),
      route: routes.deleteProduct,
      act: agree('Delete product', 'Delete'),
      told: [WRONG, 'Product deleted successfully!'],
    },
  };

  test.each(Object.keys(acts))('is told that %s, and then that it was', async (what) => {
    const { at, before, route, act, told, look } = acts[what]!;
    await page.goto(at());
    await before?.();
    if (look !== undefined) {
      await page.getByRole('dialog').waitFor();
      await lookAt(page, look);
    }
    await doTwice(page, route, act, ...told);
  });

  test('is told that what is selected was neither confirmed nor rejected, and then which of it was', async () => {
    const decideAll = async (path: string, verdict: string, requests: readonly string[], done: string) => {
      await page.goto(path);
      for (const name of requests)
        await page.getByRole('checkbox', { name: `Select request of ${name}` }).check();
      await press(`${verdict} selected`)();
      const send = agree(`${verdict} selected requests`, `${verdict} 2`);
      await doTwice(page, routes.decideRequests, send, AWAY, done);
    };
    const some = ['25.00 USD by Amara Nwosu', '40.00 USD by Jonas Berg'];
    await decideAll(withdrawals(), 'Confirm', some, '1 of 2 requests are confirmed.');
    await page.getByRole('row', { name: /^Jonas Berg .* Insufficient wallet balance$/ }).waitFor();
    const others = ['41.00 USD by Amara Nwosu', '42.00 USD by Amara Nwosu'];
    await decideAll(funds(), 'Reject', others, '2 of 2 requests are rejected.');
  });

  test.each([
    ['users', adminPaths.users, routes.people],
    ['requests', pagePaths.dashboard, routes.requests],
    ['reports', REPORTS, routes.messages],
  ] as const)(
    'is told that the list of %s was not made a file, and then has it',
    async (name, path, route) => {
      const works = await handled(context, route, (call) =>
        call.request().headers()['accept'] === 'text/csv' ? call.fulfill(failed) : call.fallback(),
      );
      await page.goto(path);
      await press('CSV')();
      await said(page, AWAY);
      await works();
      const [file] = await Promise.all([page.waitForEvent('download'), press('CSV')()]);
      expect(file.suggestedFilename()).toBe(`${name}.csv`);
    },
  );

  test('is told that a picture of the site was not uploaded, and then has it in its place', async () => {
    await page.goto(`${adminPaths.siteContent}?section=gallery`);
    const file = { name: 'rig.png', mimeType: 'image/png', buffer: PNG };
    const upload = () => page.getByLabel('File for source').first().setInputFiles(file);
    const works = await handled(context, routes.uploadSiteMedia, (call) => call.fulfill(failed));
    await upload();
    await said(page, 'Failed to upload image.');
    await works();
    const uploaded = page.waitForResponse((answer) => answer.url().endsWith(routes.uploadSiteMedia.path));
    await upload();
    const { url } = (await (await uploaded).json()) as { readonly url: string };
    await page.locator(`input[value="${url}"]`).waitFor();
    await press('Save section')();
    await reason('Change the site', 'Save section')();
    await said(page, 'Content updated successfully.');
  });

  test('has pages that complain of nothing else', () => {
    expect(complaints.filter((text) => !text.includes('status of 503'))).toEqual([]);
  });
});
