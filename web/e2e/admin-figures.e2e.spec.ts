import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { fund, newPerson, requestFunding, type Person } from './people.js';
import { startProgram, type Program } from './program.js';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('an admin who looks at figures', () => {
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: Complaints;
  let mei: Person;

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
    const mary: Person = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    mei = await newPerson(program, ['Mei', 'Tanaka']);
    await fund(mary, mei, '900', 'USDT');
    await requestFunding(mei, '12000', 'BTC');
    ({ page, complaints } = await adminAt(browser, program, mary));
  });

  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  test('sees them as charts, and by keyboard as tables of the days that the address names', async () => {
    await page.getByRole('link', { name: 'Figures' }).click();
    const money = page.locator('[data-chart="money"]');
    await money.locator('svg').getByText('+900.00').waitFor();
    await page.locator('[data-chart="age"] svg').getByText('12,000.00').waitFor();
    await page.getByRole('button', { name: 'As a table: Money by day' }).press('Enter');
    await page.waitForURL(/tables=money/);
    await lookAt(page, 'admin-figures');
    await page.getByRole('row', { name: /^\d{4}-\d\d-\d\d 900\.00 0\.00/ }).waitFor();
    await page.getByRole('radio', { name: 'BTC' }).click({ force: true });
    await page.waitForURL(/currency=BTC/);
    await page.getByRole('button', { name: '90 days' }).press('Enter');
    await page.getByRole('table', { name: 'Money by day, BTC' }).getByRole('row').nth(90).waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Money by day, BTC' }).getByRole('row').nth(90).waitFor();
    expect(complaints).toEqual([]);
  });

  test('has all of a person’s own streams as a case file', async () => {
    await page.goto(`/auth/User/dashboard/${mei.userId}`);
    await page.getByRole('link', { name: 'Case file' }).click();
    await page.waitForURL(`**/auth/audit/case/${mei.userId}`);
    await page.getByText(/events, in the order of the log\./).waitFor();
    await page.getByRole('row', { name: /FundingConfirmed account, \d+ admin / }).waitFor();
    await lookAt(page, 'admin-case-file');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'NDJSON' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`case-${mei.userId}.ndjson`);
    expect(complaints).toEqual([]);
  });
});
