import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { AuditEvent } from '#contracts';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { fund, newPerson, requestFunding, type Person } from './people.js';
import { startProgram, type Program } from './program.js';

if (chromiumPath === undefined)
  console.warn('not run: the audit in a browser (no Chromium here; set CHROMIUM)');

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

const EVENTS = '/auth/audit/events';

inBrowser('an admin who looks into the log', () => {
  let program: Program;
  let browser: Browser;
  let admin: Person;
  let bola: Person;
  let page: Page;
  let complaints: Complaints;
  beforeAll(async () => {
    program = await startProgram();
    admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    bola = await newPerson(program, ['Bola', 'Adeyemi']);
    await fund(admin, bola, '900', 'USDT');
    browser = await launch(chromiumPath ?? '');
    ({ page, complaints } = await adminAt(browser, program, admin));
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  test('finds an event, sees all of it beside the list, and goes where it leads', async () => {
    await page.goto(`${EVENTS}?person=${bola.userId}`);
    await page.getByRole('button', { name: 'FundingConfirmed', exact: true }).click();
    const beside = page.getByRole('complementary', { name: 'FundingConfirmed' });
    await beside.getByText(/follows revision \d+/).waitFor();
    await beside.getByRole('row', { name: 'Sum 0.00 USD' }).waitFor();
    await beside.getByRole('row', { name: 'Wallet, USD 0.00 900.00' }).waitFor();
    await lookAt(page, 'admin-events');
    await page.getByRole('button', { name: /^Remove filter Person/ }).click();
    await page.waitForURL((url) => !url.searchParams.has('person'));
    await page.goto(`${EVENTS}?type=NoSuchEvent`);
    await page.getByText('No logs available.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('has what happens meanwhile wait behind a button', async () => {
    await page.goto(`${EVENTS}?type=FundingRequested`);
    const rows = page.getByRole('button', { name: 'FundingRequested', exact: true });
    await rows.first().waitFor();
    const before = await rows.count();
    await requestFunding(bola, '25', 'USDT');
    const fresh = page.getByRole('button', { name: '1 new', exact: true });
    await fresh.waitFor();
    expect(await rows.count()).toBe(before);
    await fresh.click();
    await rows.nth(before).waitFor();
    await fresh.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('takes away what is shown', async () => {
    await page.goto(`${EVENTS}?type=FundingConfirmed`);
    await page.getByRole('button', { name: 'FundingConfirmed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^NDJSON/ }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('events.ndjson');
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as AuditEvent).type)).toEqual(['FundingConfirmed']);
  });

  test('reads a stream with its chain checked as it is read', async () => {
    await page.goto(`/auth/audit/streams?stream=account-${bola.userId}`);
    await page.getByText(/each follows the one before it\./).waitFor();
    await page.getByText('begins the stream').waitFor();
    await lookAt(page, 'admin-streams');
    await page.getByRole('textbox', { name: 'Stream' }).fill('No Stream');
    await page.getByRole('button', { name: 'Read' }).click();
    await page.getByText('Enter the name of a stream, such as settings-global.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('travels in anybody’s account', async () => {
    await page.goto(`/auth/audit/account/${bola.userId}`);
    await page.getByText('Bola Adeyemi').first().waitFor();
    await page.getByRole('row', { name: /^Wallet, USD 900\.00/ }).waitFor();
    await page.getByRole('slider', { name: 'Moment' }).fill('0');
    await page.getByRole('row', { name: /^Wallet, USD 0\.00/ }).waitFor();
    await lookAt(page, 'admin-travel');
    expect(complaints).toEqual([]);
  });

  test('sees that the books balance, then and now, and what is behind a figure', async () => {
    await page.goto('/auth/audit/trial-balance');
    await page.getByText(/^The books balance as of position/).waitFor();
    await page.getByRole('row', { name: 'Sum of all lines 0.00' }).first().waitFor();
    await page.getByRole('button', { name: 'Postings behind Deposits, −900.00 USD' }).click();
    await page.getByRole('heading', { name: 'Behind Deposits, USD' }).waitFor();
    await page.getByRole('button', { name: 'FundingConfirmed', exact: true }).waitFor();
    await lookAt(page, 'admin-trial-balance');
    await page.goto('/auth/audit/trial-balance?position=1&cell=deposits-USD');
    await page.getByRole('button', { name: 'Postings behind Deposits, 0.00 USD' }).waitFor();
    await page.getByText('No logs available.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('sees who decided what and why, and what was guarded', async () => {
    const params = { userId: bola.userId };
    const body = { amounts: { USDT: '1' }, reason: 'Paid in cash' };
    await admin.get('adjustWallet', { params, body });
    await page.goto('/auth/audit/activity');
    await page.getByRole('button', { name: 'FundingConfirmed', exact: true }).waitFor();
    const credited = page.getByRole('row').filter({ hasText: 'WalletCredited' });
    for (const said of [/^\d{4}-\d\d-\d\d /, 'Mary Okafor', 'Paid in cash', '+1.00 USD'])
      await credited.getByRole('cell', { name: said }).waitFor();
    expect(await page.getByRole('button', { name: 'FundingRequested', exact: true }).count()).toBe(0);
    await lookAt(page, 'admin-activity');
    await page.goto(`/auth/audit/activity?actor=${bola.userId}`);
    await page.getByText('No logs available.').waitFor();
    await page.goto('/auth/audit/security?type=PersonRead');
    await page.getByRole('button', { name: 'PersonRead', exact: true }).first().waitFor();
    await lookAt(page, 'admin-security');
    expect(complaints).toEqual([]);
  });
});
