import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { routes } from '#contracts';
import { chromiumPath, launch, person } from './browser.js';
import { lookAt } from './look.js';
import { enterPassword, newPerson } from './people.js';
import { startProgram, type Program } from './program.js';

if (chromiumPath === undefined)
  console.warn('not run: maintenance in a browser (no Chromium here; set CHROMIUM)');

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('while the service is maintained', () => {
  let program: Program;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    program = await startProgram();
    const amara = await newPerson(program, ['Amara', 'Nwosu']);
    browser = await launch(chromiumPath ?? '');
    ({ page, context } = await person(browser, { baseURL: program.address }));
    await enterPassword(page, amara.email);
    await page.waitForURL('**/auth/dashboard');
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  const isAway = () => page.getByText(/^Lode is away for a moment\. What you see is from before/);
  const away = () => page.getByRole('heading', { name: 'Lode is away for a moment' });

  test('an open page says so and keeps what was typed, and goes on by itself when the service is back', async () => {
    await page.goto('/auth/fund-account/dashboard');
    await page.getByLabel('Amount, USD').fill('250');
    await page.getByText('Live', { exact: true }).waitFor();
    const resume = await program.pause();
    await isAway().waitFor();
    await lookAt(page, 'away');
    expect(await page.getByLabel('Amount, USD').inputValue()).toBe('250');
    await resume();
    await page.getByText('Lode answers again.').waitFor();
    await isAway().waitFor({ state: 'detached' });
    expect(await page.getByLabel('Amount, USD').inputValue()).toBe('250');
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('a screen that was not loaded yet is shown once the service is back', async () => {
    const resume = await program.pause();
    await isAway().waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Support' }).click();
    await away().waitFor();
    await lookAt(page, 'away-screen');
    await resume();
    await page.getByRole('form', { name: 'Write to support' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth/account-support/dashboard');
  });

  test('a page that is opened meanwhile says so, sends nobody to sign in, and goes on by itself', async () => {
    const refresh = `**${routes.refresh.path}`;
    await context.route(refresh, (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: 'Maintenance' }),
    );
    await page.goto('/auth/account-support/dashboard');
    await away().waitFor();
    await lookAt(page, 'away-from-the-start');
    expect(new URL(page.url()).pathname).toBe('/auth/account-support/dashboard');
    await context.unroute(refresh);
    await page.getByRole('form', { name: 'Write to support' }).waitFor();
  });
});
