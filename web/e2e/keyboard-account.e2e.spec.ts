import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { walkOf, type Walk } from './keyboard.js';
import { newPerson, PASSWORD, type Person } from './people.js';
import { startProgram, type Program } from './program.js';

if (chromiumPath === undefined)
  console.warn('not run: an account by its keyboard (no Chromium here; set CHROMIUM)');

const NEXT_PASSWORD = 'staple battery horse';

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Whatever has the focus is asserted to show it, at every stop on the way. */
inBrowser('an account is kept, and closed, by keyboard alone', () => {
  let program: Program;
  let stop: () => Promise<void>;
  let jonas: Person;
  let complaints: Complaints;
  let walk: Walk;
  /** To read by, and never to act by: that is the keyboard’s. */
  let page: Pick<Page, 'getByText' | 'getByRole' | 'getByLabel' | 'waitForURL' | 'locator'>;

  beforeAll(async () => {
    program = await startProgram();
    // Signed in there, too: that is the other device.
    jonas = await newPerson(program, ['Jonas', 'Lindqvist']);
    const colour = { r: 176, g: 104, b: 60 };
    const buffer = await sharp({ create: { width: 640, height: 480, channels: 3, background: colour } })
      .png()
      .toBuffer();
    const browser = await launch(chromiumPath ?? '');
    const opened = await person(browser, { baseURL: program.address });
    // What a person chooses in the window of their system, which no page sees.
    const picture = { name: 'face.png', mimeType: 'image/png', buffer };
    opened.page.on('filechooser', (chooser) => void chooser.setFiles(picture));
    complaints = opened.complaints;
    page = opened.page;
    walk = walkOf(opened.page);
    stop = () => browser.close();
    await walk.signIn(jonas.email, PASSWORD);
    await page.waitForURL('**/auth/dashboard');
    await walk.goTo('settings');
    await page.getByLabel('Phone').waitFor();
  });
  afterAll(async () => {
    await stop();
    await program.stop();
  });

  test('a picture is chosen, cut and shown', async () => {
    const { keyboard, said, press } = walk;
    await press('button Choose picture');
    await keyboard.comesTo(/^img Your picture as it will be cut/);
    await keyboard.press('ArrowRight');
    await keyboard.tabTo('slider Zoom');
    await keyboard.press('ArrowRight');
    await page.getByRole('slider', { name: 'Zoom' }).and(page.locator('[aria-valuetext="105 %"]')).waitFor();
    await press('button Use picture');
    await said('Profile image updated successfully!');
    await keyboard.comesTo('button Choose picture');
    await page.locator('header img').waitFor();
  });

  test('how dates and numbers are written is chosen and kept', async () => {
    const { keyboard, said, press } = walk;
    const language = page.getByLabel('Dates and numbers');
    const before = await language.inputValue();
    await keyboard.tabTo('select Dates and numbers');
    await keyboard.press('ArrowDown');
    expect(await language.inputValue()).not.toBe(before);
    await keyboard.tabTo('select Time zone');
    await press('button Save display');
    await said('Display preferences saved.');
  });

  test('the session of another device is ended', async () => {
    const { said, press } = walk;
    await press(/^button Sign out (?!everywhere)/);
    await said('Signed out');
    await page.getByRole('button', { name: /^Sign out (?!everywhere)/ }).waitFor({ state: 'detached' });
  });

  test('the password is changed', async () => {
    const { keyboard, said, fill } = walk;
    const fields = (confirmation: string) => ({
      'Old password': PASSWORD,
      'New password': NEXT_PASSWORD,
      'Confirm new password': confirmation,
    });
    await fill(fields('another one'));
    await keyboard.press('Enter');
    await said('Passwords do not match');
    await keyboard.comesTo('field Confirm new password');
    await keyboard.press('Control+a');
    await keyboard.type(NEXT_PASSWORD);
    await keyboard.press('Enter');
    await said('Password updated successfully!');
  });

  test('the account is closed, for ever', async () => {
    const { keyboard, said, fill, press } = walk;
    await press('button Close account');
    await fill({ 'Your e-mail address, to confirm': jonas.email, 'Your password': NEXT_PASSWORD });
    await keyboard.press('Enter');
    await page.waitForURL('**/login*');
    await said('Your account is closed, for ever.');
    expect(complaints).toEqual([]);
  });
});
