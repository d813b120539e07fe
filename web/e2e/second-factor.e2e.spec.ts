import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { pagePaths } from '#contracts';
import { appCode } from './authenticator.js';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { enterPassword, newPerson, PASSWORD, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

if (chromiumPath === undefined)
  console.warn('not run: the second factor in a browser (no Chromium here; set CHROMIUM)');

const SETTINGS = pagePaths.settings;
const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('the second factor of a customer', () => {
  let program: Program;
  let browser: Browser;
  let amara: Person;
  let page: Page;
  let complaints: Complaints;
  let secret = '';
  let recoveryCodes: readonly string[] = [];

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
    amara = await newPerson(program, ['Amara', 'Nwosu']);
    ({ page, complaints } = await person(browser, { baseURL: program.address }));
    await enterPassword(page, amara.email);
    await page.waitForURL('**/auth/dashboard');
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  test('a customer sets up a second factor with an app and sees the recovery codes once', async () => {
    await page.goto(SETTINGS);
    const form = (name: string) => page.getByRole('form', { name });
    await form('Set up a second factor').getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set up' }).click();
    await form('Confirm the second factor').getByRole('img').waitFor();
    secret = (await form('Confirm the second factor').locator('code').innerText()).replaceAll(' ', '');
    await page.getByLabel('Code that the app shows').fill('000');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await said(page, 'This code is wrong, too old or was used before.');
    await page.getByLabel('Code that the app shows').fill(appCode(secret));
    await page.getByRole('button', { name: 'Switch on' }).click();
    const codes = page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    recoveryCodes = await codes.allInnerTexts();
    expect(recoveryCodes).toHaveLength(10);
    await lookAt(page, 'second-factor-codes');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await said(page, 'Recovery codes left: 10.');
  });

  test('sign-in asks for a code of the second factor and accepts a recovery code', async () => {
    await page.goto('/auth/dashboard');
    await page.getByRole('navigation', { name: 'Actions' }).getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Invest in Bitcoin Mining' }).waitFor();
    await enterPassword(page, amara.email);
    const code = page.getByLabel('Code', { exact: true });
    await code.waitFor();
    expect(await page.getByLabel('E-mail').isVisible()).toBe(false);
    await lookAt(page, 'login-code');
    await code.fill(appCode(secret, -9));
    await page.getByRole('button', { name: 'Continue' }).click();
    await said(page, 'Login failed: This code is wrong, too old or was used before.');
    await code.fill(recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/auth/dashboard');
  });

  test('new recovery codes replace the old ones, and one of them switches the second factor off', async () => {
    await page.goto(SETTINGS);
    const form = page.getByRole('form', { name: 'Change the second factor' });
    const send = async (button: string, code: string) => {
      await form.getByLabel('Your password').fill(PASSWORD);
      await form.getByLabel('Code, or a recovery code').fill(code);
      await form.getByRole('button', { name: button }).click();
    };
    await form.getByText('Recovery codes left: 9.').waitFor();
    await send('New recovery codes', recoveryCodes[0] ?? '');
    await form.getByText('This code is wrong, too old or was used before.').waitFor();
    await lookAt(page, 'second-factor-change');
    await send('New recovery codes', recoveryCodes[1] ?? '');
    const codes = page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const next = await codes.allInnerTexts();
    expect(new Set([...next, ...recoveryCodes]).size).toBe(20);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await form.getByText('Recovery codes left: 10.').waitFor();
    await form.getByText('This code is wrong').waitFor({ state: 'hidden' });
    await send('Switch off', recoveryCodes[2] ?? '');
    await form.getByText('This code is wrong, too old or was used before.').waitFor();
    await send('Switch off', next[0] ?? '');
    await page.getByRole('form', { name: 'Set up a second factor' }).waitFor();
    await lookAt(page, 'second-factor-off');
    await page.context().clearCookies();
    await enterPassword(page, amara.email);
    await page.waitForURL('**/auth/dashboard');
  });

  test('no page reports an error or requests another host', () => {
    expect(complaints).toEqual([]);
  });
});
