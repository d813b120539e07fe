import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { newPerson, PNG, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('an admin and the platform', () => {
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: Complaints;
  let mary: Person;

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launch(chromiumPath ?? '')]);
    mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    const mei = await newPerson(program, ['Mei', 'Tanaka']);
    await mei.get('sendMessage', {
      body: {
        name: 'Mei Tanaka',
        email: mei.email,
        phone: '+81 3 0000 0000',
        businessType: 'Trade',
        subject: 'Fees',
        message: 'What does a withdrawal cost, and who is paid the fee?',
      },
    });
    ({ page, complaints } = await adminAt(browser, program, mary));
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  /** Gives a reason for what a dialog asks again about, and does it. */
  const act = async (name: string, word: string, reason = 'Agreed on Monday') => {
    const dialog = page.getByRole('dialog', { name });
    await dialog.getByLabel(/^Reason/).fill(reason);
    await dialog.getByRole('button', { name: word, exact: true }).click();
  };

  test('reads a report, and sets the dollar rate', async () => {
    await page.goto('/auth/account-support/dashboard');
    const row = page.getByRole('button', { name: 'View message of Mei Tanaka' });
    await row.waitFor();
    await lookAt(page, 'admin-reports');
    await row.click();
    await press('Mark as read');
    await said(page, 'Message marked as read.');
    await page.keyboard.press('Escape');
    await press('View Dollar Rate');
    await said(page, 'No rate available. Please set one.');
    await page.getByLabel('New rate').fill('none');
    await press('Set rate');
    await said(page, 'Please give a reason.');
    await page.getByLabel('Reason').fill('Agreed on Monday');
    await press('Set rate');
    await said(page, 'Please enter a rate above 0');
    await page.getByLabel('New rate').fill('0.925');
    await press('Set rate');
    await said(page, 'Dollar rate updated successfully.');
    expect(complaints).toEqual([]);
  });

  test('uploads a product, which goes out of stock, and off the site', async () => {
    await page.goto('/upload/admin');
    await press('Upload product');
    await said(page, 'Owner name is required');
    const fields = { 'Amount, USD': '249.99', 'Owner name': 'Ann', 'Product name': 'Rig One' };
    const texts = { ...fields, Description: 'A rig.', Title: 'Rig', Subtitle: 'One' };
    for (const [label, text] of Object.entries(texts))
      await page.getByLabel(label, { exact: true }).fill(text);
    const file = { name: 'rig.png', mimeType: 'image/png', buffer: PNG };
    for (const [at, label] of ['Main image', 'Owner image'].entries()) {
      await page.locator('input[type=file]').nth(at).setInputFiles(file);
      await page.getByAltText(label).waitFor();
    }
    await lookAt(page, 'admin-upload-product');
    await press('Upload product');
    await said(page, 'Product uploaded successfully!');
    await page.goto('/upload/product');
    const row = page.getByRole('button', { name: 'Edit Rig One' });
    await row.waitFor();
    await lookAt(page, 'admin-products');
    await row.click();
    await press('Out of stock');
    await said(page, 'Product updated successfully!');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete product' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await said(page, 'Product deleted successfully!');
    await said(page, 'No logs available.');
    expect(complaints).toEqual([]);
  });

  test('sets prices and the bonus policy, and is told what is out of bounds', async () => {
    await page.goto('/auth/prices/dashboard');
    await page.getByLabel('PI, US dollars for one').fill('none');
    await press('Set prices');
    await said(page, 'Please enter a price above 0 with at most 8 decimals.');
    await page.getByLabel('PI, US dollars for one').fill('41.5');
    await press('Set prices');
    await act('Set prices', 'Set prices');
    await said(page, 'Prices updated successfully.');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await lookAt(page, 'admin-prices');
    await page.goto('/auth/bonus-policy/dashboard');
    const rate = page.getByLabel('Rate: the part of the wallet that one day pays');
    await rate.fill('2');
    await press('Set policy');
    await said(page, 'Please enter a bonus rate from 0 to 1 with at most 4 decimals.');
    await rate.fill('0.05');
    await press('Set policy');
    await act('Set the bonus policy', 'Set policy');
    await said(page, 'Bonus policy updated successfully.');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await lookAt(page, 'admin-bonus-policy');
    expect(complaints).toEqual([]);
  });

  test('changes where customers pay to, and what the site says', async () => {
    await page.goto('/auth/deposit-details/dashboard');
    await page.getByLabel('BTC deposit address').fill('bc1q two');
    await press('Save changes');
    await said(page, 'A wallet address has no blanks.');
    await page.getByLabel('BTC deposit address').fill('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
    await press('Save changes');
    await act('Change the platform’s details', 'Change', 'A new wallet');
    await said(page, 'Data submitted successfully!');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await lookAt(page, 'admin-deposit-details');
    await page.goto('/auth/site-content/dashboard?section=footer');
    await page.getByLabel('Tagline').fill('Every balance, explained.');
    await press('Save section');
    await act('Change the site', 'Save section');
    await said(page, 'Content updated successfully.');
    await page.getByRole('button', { name: /^View version/ }).waitFor();
    await lookAt(page, 'admin-site-content');
    await page.goto('/auth/mails/dashboard');
    await page.getByRole('heading', { level: 1, name: 'Mails' }).waitFor();
    await page
      .getByRole('table', { name: 'Mails' })
      .or(page.getByText('No logs available.'))
      .first()
      .waitFor();
    await lookAt(page, 'admin-mails');
    expect(complaints).toEqual([]);
  });

  test('sees the site with what is typed before it is saved, and what keeps it from being saved', async () => {
    const landing = async () => (await page.request.get('/')).text();
    const before = await landing();
    await page.goto('/auth/site-content/dashboard?section=hero');
    const frame = page.frameLocator('iframe[title="Preview of the page Home"]');
    const title = page.getByLabel('Title', { exact: true });
    await frame.getByRole('heading', { level: 1, name: 'Invest in Bitcoin Mining' }).waitFor();
    await title.fill('Books <b>that</b> add up');
    await frame.getByRole('heading', { level: 1, name: 'Books <b>that</b> add up' }).waitFor();
    await said(page, 'With what is typed. Nobody else sees it before it is saved.');
    await lookAt(page, 'admin-site-content-preview');
    // The picture stays, and both say why.
    await title.fill('');
    await said(page, 'This can’t be saved yet, so the page stands as it was:');
    await page.getByLabel('Title', { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();
    await frame.getByRole('heading', { level: 1, name: 'Books <b>that</b> add up' }).waitFor();
    await lookAt(page, 'admin-site-content-invalid');
    await title.fill('Books that add up');
    await frame.getByRole('heading', { level: 1, name: 'Books that add up' }).waitFor();
    await lookAt(page, 'admin-site-content-preview');
    expect(await landing()).toBe(before);
    expect(complaints).toEqual([]);
  });

  test('sees it on a phone behind a tab, scrolled to what is written, and what a version would bring back', async () => {
    for (const tagline of ['An earlier line.', 'A later line.'])
      await mary.get('changeContent', { body: { content: { footer: { tagline } } } });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/auth/site-content/dashboard?section=gallery');
    await page.getByLabel('Title', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Preview' }).click();
    const frame = page.frameLocator('iframe[title="Preview of the page Home"]');
    await frame.getByRole('heading', { name: 'Behind the Scenes' }).waitFor();
    const shown = page.frames().find((one) => one.url() === 'about:srcdoc');
    await shown?.waitForFunction('innerWidth === 390 && scrollY > innerHeight');
    await lookAt(page, 'admin-site-content-on-a-phone');
    const versions = page.getByRole('button', { name: /^View version/ });
    await versions.nth(1).click();
    await page.getByRole('button', { name: 'Preview this version' }).click();
    const dialog = page.getByRole('dialog', { name: /^Version/ });
    await dialog.getByText('As visitors would get it once this version is restored.').waitFor();
    await dialog.frameLocator('iframe').getByText('An earlier line.').waitFor();
    await lookAt(page, 'admin-site-content-version');
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    const restoring = page.getByRole('dialog', { name: /^Restore version/ });
    await restoring.getByLabel('Reason').fill('The later one was wrong');
    await restoring.getByRole('button', { name: 'Restore', exact: true }).click();
    await said(page, 'Content updated successfully.');
    expect(await (await page.request.get('/')).text()).toContain('An earlier line.');
    await frame.getByRole('heading', { name: 'Behind the Scenes' }).waitFor();
    expect(complaints).toEqual([]);
    // Whatever came into a draft, nothing of it runs. This stands last: the browser complains of it.
    const complained = page.waitForEvent('console', (message) => message.type() === 'error');
    await page.evaluate(`(() => {
      const { contentDocument: shown } = document.querySelector('iframe');
      const script = shown.createElement('script');
      script.textContent = "parent.document.title = 'It ran'";
      shown.body.append(script);
    })()`);
    expect(await page.title()).not.toBe('It ran');
    await complained;
    expect(complaints).toEqual([
      expect.stringMatching(/^console: Blocked script execution in 'about:srcdoc'/),
    ]);
  });
});
