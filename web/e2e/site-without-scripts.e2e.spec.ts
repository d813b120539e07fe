import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { startProgram, type Program } from './program.js';

if (chromiumPath === undefined)
  console.warn('not run: the site without scripts in a browser (no Chromium here; set CHROMIUM)');

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('the public site without scripts', () => {
  let program: Program;
  let browser: Browser;
  const complaints: Complaints[] = [];

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  async function visitor(options: Partial<Parameters<typeof person>[1]> = {}) {
    const opened = await person(browser, { baseURL: program.address, ...options });
    complaints.push(opened.complaints);
    return opened;
  }

  test('a visitor without JavaScript reads the site, and forms say that they need it', async () => {
    const { page: plain, context } = await visitor({ noScript: true });
    await plain.goto('/');
    await plain.getByRole('heading', { name: 'Join the Digital Gold Rush' }).waitFor();
    // A browser that runs scripts sees no text here, so that a locator by text does not find it.
    const notice = async () => {
      const words = plain.locator('noscript p').first();
      await words.waitFor();
      return words.innerText();
    };
    for (const path of ['/Contact-us', '/login', '/register', '/forgot-password']) {
      await plain.goto(path);
      expect(await notice()).toBe('This form needs JavaScript, which is switched off in this browser.');
    }
    await plain.goto('/auth/dashboard');
    expect(await notice()).toBe('The wallet needs JavaScript. The public page does not: go to it.');
    await plain.locator('noscript a').click();
    await plain.getByRole('heading', { name: 'Invest in Bitcoin Mining' }).waitFor();
    await context.close();
  });

  test('a form whose script does not load is disabled, and Enter sends nothing', async () => {
    const { page: quiet, context } = await visitor();
    await context.route('**/assets/*.js', (route) => route.abort());
    await quiet.goto('/Contact-us');
    const name = quiet.getByLabel('Name', { exact: true });
    expect([await name.isDisabled(), await quiet.locator('form').getAttribute('method')]).toEqual([
      true,
      'post',
    ]);
    await name.focus();
    await quiet.keyboard.type('Zsazsa');
    await quiet.keyboard.press('Enter');
    expect(quiet.url()).toBe(`${program.address}/Contact-us`);
    for (const path of ['/login', '/register']) {
      await quiet.goto(path);
      const password = quiet.getByLabel('Password', { exact: true });
      expect(await password.isDisabled()).toBe(true);
      await password.focus();
      await quiet.keyboard.type('Zsazsa');
      await quiet.keyboard.press('Enter');
      expect(quiet.url()).toBe(program.address + path);
    }
    expect(program.printed()).not.toContain('Zsazsa');
    await quiet.goto('/');
    await quiet.getByRole('heading', { name: 'Join the Digital Gold Rush' }).waitFor();
    expect(await quiet.getByRole('button', { name: 'Next slide' }).isVisible()).toBe(false);
    await context.close();
  });

  test('no page reports an error or requests another host', () => {
    expect(complaints.flat()).toEqual([]);
  });
});
