import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { routes } from '#contracts';
import { until } from '#kernel/testing';
import { accessibilityViolations } from './axe.js';
import { chromiumPath, launch, person, type Complaints } from './browser.js';
import { newPerson, type Person, PNG } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

if (chromiumPath === undefined)
  console.warn('not run: the site in a browser (no Chromium here; set CHROMIUM)');

/** Where pictures of every page go when somebody wants to look at them. */
const pictures = process.env['LODE_PICTURES'];
/** Each size and each theme once; the check of every screen has all four. */
const LOOKS = [
  [1440, 'light'],
  [390, 'dark'],
] as const;
const ADVANCE_MS = 120_000;
/** What stands in the places of figures. */
const FIGURES = `[...document.querySelectorAll('[data-counter], [data-price], .figures, .prices small')].map((one) => one.innerText)`;
/** Of each slide whether it is shown. */
const SHOWN = `[...document.querySelectorAll('.slide')].map((slide) => !slide.hidden)`;

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

inBrowser('the public site', () => {
  let program: Program;
  let browser: Browser;
  let admin: Person;
  let page: Page;
  const complaints: Complaints[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    program = await startProgram({ LODE_UNVERIFIED_MAY_NOT: 'withdraw' });
    admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    browser = await launch(chromiumPath ?? '');
    ({ page } = await visitor());
    page.on('request', (request) => asked.push(request.url()));
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  /** Somebody at a browser of their own, whose complaints are heard as well. */
  async function visitor(options: Partial<Parameters<typeof person>[1]> = {}) {
    const opened = await person(browser, { baseURL: program.address, ...options });
    complaints.push(opened.complaints);
    return opened;
  }

  /** What the program sends, whatever it is. */
  const textAt = async (path: string) => (await fetch(`${program.address}${path}`)).text();

  /** The page as it stands, at both sizes, each in a theme of its own. */
  async function lookAtIt(name: string): Promise<void> {
    for (const [width, colorScheme] of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      if (pictures !== undefined) {
        mkdirSync(join(pictures, 'site'), { recursive: true });
        await page.screenshot({
          path: join(pictures, 'site', `${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        });
      }
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  test.each([
    ['/', 'Invest in Bitcoin Mining'],
    ['/who-we-are', 'Who We Are'],
    ['/Contact-us', 'Contact Us'],
    ['/risk', 'Risk disclosure'],
    ['/status', 'Status'],
    ['/login', 'Login'],
    ['/register', 'Register'],
    ['/auth/register', 'Register an admin'],
    ['/forgot-password', 'Forgot password'],
    ['/reset-password', 'Set a new password'],
    ['/verify-email', 'Verify your e-mail address'],
    ['/confirm-email', 'Confirm your new e-mail address'],
  ])('%s can be read by everybody', async (path, heading) => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    if (path === '/forgot-password') await page.getByText('is shown on the console').waitFor();
    await lookAtIt(path === '/' ? 'landing' : path.slice(1).replace('/', '-'));
  });

  test('the landing page has its sections in their order, and leads where it says', async () => {
    await page.goto('/');
    const texts = async (of: string) => (await page.locator(of).allInnerTexts()).map((text) => text.trim());
    expect((await texts('main h1, main h2')).slice(0, 10)).toEqual([
      'Invest in Bitcoin Mining',
      'What is Bitcoin Mining?',
      'Start Mining Bitcoin with Ease',
      'Get Started in 3 Easy Steps',
      'Choose Your Mining Plan',
      'How Bitcoin Mining Works',
      'Why is Mining Important?',
      'We Do the Heavy Lifting',
      'Join the Digital Gold Rush',
      'Behind the Scenes',
    ]);
    for (const bullet of ['Bitcoin Mining Investing', 'Bitcoin Trading', 'Bitcoin Investment'])
      expect(await texts('main li')).toContain(bullet);
    const to = (name: string) => page.getByRole('main').getByRole('link', { name }).getAttribute('href');
    expect(await Promise.all(['Start Here', 'Get Started'].map(to))).toEqual(['/login', '/register']);
    for (const name of ['Start Mining Today', 'Contact Us for More Info'])
      expect(await to(name)).toBe('/Contact-us');
    const foot = page.getByRole('contentinfo');
    await foot.getByText('BTC Widget App').waitFor();
    expect(await foot.getByRole('link').first().getAttribute('href')).toBe('/');
    expect(await foot.getByRole('navigation', { name: 'Links' }).getByRole('link').allInnerTexts()).toEqual([
      'Home',
      'About',
      'Contact',
    ]);
    // What is unset is not there.
    expect(await foot.getByRole('navigation', { name: 'Socials' }).count()).toBe(0);
  });

  test('an empty ledger has no digit in the place of any figure', async () => {
    for (const path of ['/', '/who-we-are', '/widget']) {
      await Promise.all([page.waitForResponse(`**${routes.figures.path}`), page.goto(path)]);
      await page.evaluate('new Promise(requestAnimationFrame)');
      const texts = await page.evaluate<readonly string[]>(FIGURES);
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.join('')).not.toMatch(/\d/);
    }
    await page.getByText('No price has been set.').waitFor();
    await lookAtIt('widget-empty');
  });

  test('a price that an admin sets is shown with when that was, also within somebody else’s page', async () => {
    await admin.get('setPrices', { body: { prices: { BTC: '64250.5' }, reason: 'a test' } });
    // It reaches the figures a moment later, and a page asks for them once.
    await until(async () => (await textAt(routes.figures.path)).includes('64250.5'));
    await page.goto('/');
    await page.getByText('64,250.50 USD').waitFor();
    await page.getByText(/^set \d{4}-\d\d-\d\d \d\d:\d\d UTC$/).waitFor();
    const frame = (path: string) =>
      `<iframe src="${program.address}${path}" name="${path.slice(1)}"></iframe>`;
    const elsewhere = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end(frame('/widget') + frame('/risk'));
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    const elsewhereAt = `http://127.0.0.1:${port}`;
    const { page: other, context, complaints: heard } = await person(browser, { baseURL: elsewhereAt });
    await other.goto('/');
    await other.frameLocator('[name=widget]').getByText('64,250.50 USD').waitFor();
    expect(await other.frameLocator('[name=widget]').getByText('On a page of yours').isVisible()).toBe(false);
    expect(await other.frameLocator('[name=risk]').getByText('Risk disclosure').count()).toBe(0);
    // The one that may not be framed, and nothing else.
    expect(heard).toEqual([expect.stringContaining("frame-ancestors 'none'")]);
    await context.close();
    elsewhere.close();
    await page.goto('/widget');
    await page.getByText('64,250.50 USD').waitFor();
    await lookAtIt('widget');
  });

  test('products and what the operator writes can be read by everybody, once they are there', async () => {
    const written = ['fees', 'terms', 'privacy'] as const;
    const paths = [...written.map((name) => `/${name}`), '/products', '/products/Rig%201'];
    for (const path of paths) expect((await page.goto(path))?.status()).toBe(404);
    const upload = async (name: 'uploadProductImage' | 'uploadRecommendedImage') => {
      const form = new FormData();
      form.set('file', new File([PNG], 'rig.png', { type: 'image/png' }));
      return (await admin.get(name, { form })).fileId;
    };
    await admin.get('createProduct', {
      body: {
        amount: '249.99',
        ownerName: 'Ann Lee',
        productName: 'Rig 1',
        title: 'A rig for a shelf',
        subtitle: 'Small and quiet',
        description: 'It mines.\n\nIt is heard by nobody.',
        image: await upload('uploadProductImage'),
        ownerImage: await upload('uploadProductImage'),
        recommendedImages: [await upload('uploadRecommendedImage')],
      },
    });
    const text = (name: string) => ({
      title: `Our ${name}`,
      text: `The first of the ${name}.\n\nAnd the last.`,
    });
    const content = Object.fromEntries(written.map((name) => [name, text(name)]));
    await admin.get('changeContent', { body: { content } });
    // It reaches the read model a moment later.
    await until(async () => !(await textAt('/products')).includes('route_not_found'));
    /** How many pictures there are, once each has been drawn. */
    const drawn = () =>
      page.evaluate<number>(
        `Promise.all([...document.querySelectorAll('main img')].map((one) => one.decode())).then((all) => all.length)`,
      );
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Links' }).getByRole('link', { name: 'Products' }).click();
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
    await page.getByText('249.99 USD').waitFor();
    expect(await drawn()).toBe(1);
    await lookAtIt('products');
    await page.getByRole('link', { name: 'Rig 1' }).click();
    await page.waitForURL('**/products/Rig%201');
    for (const line of ['A rig for a shelf', 'Small and quiet', 'It is heard by nobody.', 'Ann Lee'])
      await page.getByText(line).waitFor();
    await page.getByText('A withdrawal never asks you for a payment first.').waitFor();
    expect(await drawn()).toBe(3);
    await lookAtIt('product');
    for (const name of written) {
      await page
        .getByRole('navigation', { name: 'Small print' })
        .getByRole('link', { name: `Our ${name}` })
        .click();
      await page.waitForURL(`**/${name}`);
      await page.getByRole('heading', { level: 1, name: `Our ${name}` }).waitFor();
      await page.getByText('And the last.').waitFor();
      await lookAtIt(name);
    }
    // Whoever registers from now on accepts them.
    await page.goto('/register');
    await page.locator('[data-accepting]').getByRole('link', { name: 'Our terms' }).waitFor();
    await lookAtIt('register-terms');
  });

  test('the films of the gallery are small, are sent in parts, and play', async () => {
    await page.goto('/');
    const film = page.locator('video').first();
    await film.scrollIntoViewIfNeeded();
    const sources = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.gallery [src]')].map((one) => one.getAttribute('src'))`,
    );
    expect(sources).toHaveLength(4);
    for (const source of sources) {
      const answer = await fetch(`${program.address}${source}`, { headers: { range: 'bytes=0-9' } });
      const [, bytes] = /^bytes 0-9\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([206, 10]);
      expect(Number(bytes)).toBeLessThanOrEqual(300_000);
    }
    expect((await fetch(`${program.address}/image/nothing.mp4`)).status).toBe(404);
    await page.evaluate(`document.querySelector('video').play()`);
    await page.waitForFunction(`document.querySelector('video').currentTime > 0`);
  });

  test('the links of the header lead to every page, and the menu closes behind them', async () => {
    const header = page.getByRole('banner');
    await page.goto('/');
    await header.getByRole('link', { name: 'About Us' }).click();
    await page.waitForURL('**/who-we-are');
    await header.getByRole('link', { name: 'Login' }).click();
    await page.waitForURL('**/login');
    await header.getByRole('link', { name: 'Home', exact: true }).click();
    await page.waitForURL(`${program.address}/`);
    await header.getByRole('link', { name: 'About Us' }).click();
    await page.waitForURL('**/who-we-are');
    await header.locator('a').first().click();
    await page.waitForURL(`${program.address}/`);
    await page.setViewportSize({ width: 390, height: 844 });
    const menu = page.getByRole('button', { name: 'Menu' });
    const icons = () => Promise.all(['.menu', '.close'].map((name) => menu.locator(name).isVisible()));
    expect(await icons()).toEqual([true, false]);
    await menu.click();
    await page.locator('[aria-expanded=true]').and(menu).waitFor();
    expect(await icons()).toEqual([false, true]);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact Us' }).click();
    await page.waitForURL('**/Contact-us');
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/');
    await page.getByRole('link', { name: 'See how it works' }).click();
    await page.waitForURL(/#steps$/);
  });

  test('the slides go by arrows that are hidden at the ends, and not by themselves for who wants no motion', async () => {
    await page.goto('/');
    const arrow = (name: 'Next' | 'Previous') => page.getByRole('button', { name: `${name} slide` });
    const shown = () => page.evaluate<readonly boolean[]>(SHOWN);
    const untilShown = (slide: number) => until(async () => (await shown()).indexOf(true) === slide);
    await arrow('Next').waitFor();
    expect(await page.getByRole('button', { name: 'Stop the slides' }).isVisible()).toBe(false);
    expect([await shown(), await arrow('Previous').isVisible()]).toEqual([[true, false, false], false]);
    await arrow('Next').click();
    await untilShown(1);
    expect([await shown(), await arrow('Previous').isVisible()]).toEqual([[false, true, false], true]);
    await arrow('Next').click();
    await untilShown(2);
    expect([await shown(), await arrow('Next').isVisible()]).toEqual([[false, false, true], false]);
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Previous slide');
    await arrow('Previous').press('Enter');
    await untilShown(1);
    expect(await shown()).toEqual([false, true, false]);
  });

  test('the slides go on every two minutes to the last and stay there, unless they are stopped', async () => {
    const { page: other, context } = await visitor();
    await other.emulateMedia({ reducedMotion: 'no-preference' });
    await other.clock.install();
    const now = async () => (await other.evaluate<readonly boolean[]>(SHOWN)).indexOf(true);
    const stop = other.getByRole('button', { name: 'Stop the slides' });
    await other.goto('/');
    await stop.waitFor();
    await other.clock.fastForward(ADVANCE_MS - 1_000);
    expect(await now()).toBe(0);
    for (const slide of [1, 2, 2]) {
      await other.clock.fastForward(ADVANCE_MS);
      await until(async () => (await now()) === slide);
    }
    expect(await stop.isVisible()).toBe(false);
    await other.reload();
    await stop.click();
    await other.clock.fastForward(2 * ADVANCE_MS);
    expect(await now()).toBe(0);
    await context.close();
  });

  test('the contact form refuses what is missing, sends the rest and says so for five seconds', async () => {
    await page.goto('/Contact-us');
    await page.clock.install();
    const send = page.getByRole('button', { name: 'Send message' });
    await send.click();
    await page.getByRole('status').getByText('Please enter your name.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await lookAtIt('contact-refused');
    const typed = {
      Name: 'Ann Lee',
      'E-mail': 'nobody',
      'Business type': 'Farming',
      Phone: '+44 20 1234',
      Message: 'When do you open?',
    };
    for (const [label, text] of Object.entries(typed))
      await page.getByLabel(label, { exact: true }).fill(text);
    await send.click();
    await page.getByText('Please enter a valid e-mail address.').first().waitFor();
    await page.getByLabel('E-mail', { exact: true }).fill('ann@example.org');
    await send.click();
    const told = page.getByText('Message sent successfully!');
    await told.waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('');
    await lookAtIt('contact-sent');
    await page.clock.fastForward(5_000);
    await told.waitFor({ state: 'hidden' });
  });

  test('sign-in and registration refuse in their own words, and take what is right', async () => {
    const { page: other, context } = await visitor();
    const fill = async (fields: Readonly<Record<string, string>>) => {
      for (const [label, text] of Object.entries(fields))
        await other.getByLabel(label, { exact: true }).fill(text);
    };
    const told = other.getByRole('status').first();
    const press = async (button: string, words: string) => {
      await other.getByRole('button', { name: button }).click();
      await told.getByText(words).waitFor();
    };
    await other.goto('/register');
    await press('Register', 'Incomplete information');
    const ann = {
      'First name': 'Ann',
      'Last name': 'Lee',
      'E-mail': 'ann@example.org',
      Phone: '+44 20 1234',
    };
    await fill({ ...ann, Password: 'correct horse battery', 'Confirm password': 'another horse' });
    await press('Register', 'Passwords do not match');
    await fill({ 'E-mail': admin.email, 'Confirm password': 'correct horse battery' });
    await press('Register', 'User already exists');
    await fill({ 'E-mail': 'ann@example.org' });
    await press('Register', 'Registration successful. Redirecting to login...');
    await other.waitForURL('**/login');
    await press('Login', 'Email and password are required');
    await fill({ 'E-mail': 'ann@example.org', Password: 'wrong horse battery' });
    await press('Login', 'Login failed: ');
    expect(await other.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    // A page that asks for a session leads here and back.
    await other.goto('/auth/fund-account/dashboard');
    await other.waitForURL('**/login?next=*');
    await fill({ 'E-mail': 'ann@example.org', Password: 'correct horse battery' });
    await other.getByRole('button', { name: 'Login' }).click();
    await other.waitForURL('**/auth/fund-account/dashboard');
    // Who has a session is not asked again.
    await other.goto('/login');
    await other.waitForURL('**/auth/dashboard');
    // The link is told on the console, as no mails are sent.
    await other.getByText('Until you use it you can’t withdraw.').waitFor();
    await other.getByRole('button', { name: 'Send the link again' }).click();
    await other.getByText('The link is on its way.').waitFor();
    const link = await program.untilPrinted(/\/verify-email#\S+/);
    await other.goto(link);
    expect(other.url()).not.toContain('#');
    await press('Verify e-mail address', 'Your e-mail address is verified.');
    await other.waitForURL('**/auth/dashboard');
    await other.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await other.getByText('Please verify your e-mail address.').waitFor({ state: 'detached' });
    await other.goto(link);
    await press('Verify e-mail address', 'This link was used, has expired or never existed.');
    await context.close();
  });

  test('who has forgotten the password is sent a link, and sets a new one by it', async () => {
    const { page: other, context } = await visitor();
    const told = other.getByRole('status').first();
    const press = async (button: string, words: string) => {
      await other.getByRole('button', { name: button }).click();
      await told.getByText(words).waitFor();
    };
    const setTo = async (password: string, words: string) => {
      await other.getByLabel('New password', { exact: true }).fill(password);
      await press('Set password', words);
    };
    await other.goto('/login');
    await other.getByRole('link', { name: 'Forgot your password?' }).click();
    await other.waitForURL('**/forgot-password');
    await other.getByLabel('E-mail').fill('nobody');
    await press('Send link', 'Please enter a valid e-mail address.');
    for (const email of ['nobody@example.org', 'ann@example.org']) {
      await other.getByLabel('E-mail').fill(email);
      await press('Send link', 'If somebody has this e-mail address here, its link is on the console.');
    }
    const link = await program.untilPrinted(/\/reset-password#\S+/);
    await other.goto('/reset-password');
    await other.getByText('This page is opened by the link of a mail.').waitFor();
    expect(await other.getByRole('button', { name: 'Set password' }).isVisible()).toBe(false);
    await other.goto(link);
    await other.getByRole('button', { name: 'Set password' }).waitFor();
    expect(other.url()).not.toContain('#');
    await setTo('short', 'at least');
    await setTo('a new horse battery', 'Password updated successfully!');
    await other.waitForURL('**/login');
    await other.goto(link);
    await setTo('yet another battery', 'This link was used, has expired or never existed.');
    const signIn = async (password: string) => {
      await other.goto('/login');
      await other.getByLabel('E-mail').fill('ann@example.org');
      await other.getByLabel('Password', { exact: true }).fill(password);
      await other.getByRole('button', { name: 'Login' }).click();
    };
    await signIn('correct horse battery');
    await told.getByText('Login failed: ').waitFor();
    await signIn('a new horse battery');
    await other.waitForURL('**/auth/dashboard');
    await context.close();
  });

  test('a password is shown for whoever asks, and covered when it is sent', async () => {
    const { page: other, context } = await visitor();
    await other.goto('/login');
    const password = other.getByLabel('Password', { exact: true });
    await password.fill('a long secret');
    await other.getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    await other.getByRole('button', { name: 'Login' }).click();
    await other.getByText('Email and password are required').first().waitFor();
    expect(await password.getAttribute('type')).toBe('password');
    await context.close();
  });

  test('another tab that is stuck in renewing the session keeps nobody from signing in', async () => {
    const { page: stuck, context } = await visitor();
    await stuck.goto('/risk');
    await stuck.evaluate(`localStorage.setItem('token', 'somebody')`);
    const held = `new Promise((held) => void navigator.locks.request('lode-refresh', () => new Promise(held)))`;
    await stuck.evaluate(held);
    const other = await context.newPage();
    await other.goto('/login');
    await other.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await context.close();
  });

  test('what a person would find wrong with a screen is found by what looks through all of them', async () => {
    const source = readFileSync(new URL('../../../scripts/screenshots/faults.mjs', import.meta.url), 'utf8');
    const { page: screen, context } = await visitor({ phone: true });
    const faultsOf = async (body: string) => {
      await screen.setContent(`<meta name="viewport" content="width=device-width"><body>${body}</body>`);
      // A browser gives the focus with the next picture that it draws.
      if (body.includes('autofocus')) await screen.locator(':focus').waitFor();
      return screen.evaluate<readonly string[]>(`${source.replace('export ', '')}; faultsIn(true)`);
    };
    const table = (cells: string) =>
      faultsOf(
        `<table><thead><tr><th>Created</th><th>Status</th></tr></thead><tbody><tr>${cells}</tr></tbody></table>`,
      );
    expect(await faultsOf('<p>Words, and <a href="/">a link</a> among them.</p>')).toEqual([]);
    expect(await faultsOf('<p style="width: 600px">Wide</p>')).toEqual([
      expect.stringMatching(/^it scrolls sideways: 6\d\d of 390 px$/),
    ]);
    const cut = 'width: 40px; overflow: hidden; white-space: nowrap';
    expect(await faultsOf(`<p style="${cut}">More than fits</p>`)).toEqual(['cut off: p “More than fits”']);
    const small = 'width: 60px; height: 30px';
    expect(await faultsOf(`<button style="${small}">View</button>`)).toEqual([
      'too small for a thumb: button “View”, 60 × 30 px',
    ]);
    expect(await table('<td><time>2026-01-31</time></td><td>Pending</td>')).toEqual([]);
    expect(await table('<td><time hidden>2026-01-31</time></td><td>Pending</td>')).toEqual([
      expect.stringContaining('a row without its Created'),
    ]);
    expect(await table('<td><time>2026-01-31</time></td><td hidden>Pending</td>')).toEqual([
      expect.stringContaining('a row without its Status'),
    ]);
    const toastAt = (top: number, button: string) =>
      faultsOf(
        `<button ${button} style="position: fixed; top: 70px; width: 90px; height: 48px">Send</button>
         <div class="Toastify__toast" style="position: fixed; top: ${top}px; width: 390px; height: 60px">Sent</div>`,
      );
    for (const button of ['data-used', 'autofocus'])
      expect(await toastAt(68, button)).toEqual(['a toast covers what it speaks of: button “Send”']);
    expect(await toastAt(68, '')).toEqual([]);
    expect(await toastAt(120, 'data-used')).toEqual([]);
    await context.close();
  });

  test('a toast is the outcome of one action only, and other words can be read again', async () => {
    const { page: screen, context } = await visitor();
    const toast = '<div class="Toastify__toast"><div>Saved</div></div>';
    await screen.setContent(`<p>Total 5</p>${toast}`);
    for (let time = 0; time < 2; time += 1) await said(screen, 'Total 5');
    await said(screen, 'Saved');
    let isSaid = false;
    const second = said(screen, 'Saved').then(() => (isSaid = true));
    await said(screen, 'Total 5');
    expect(isSaid).toBe(false);
    await screen.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(toast)})`);
    await second;
    await context.close();
  });

  test('what the policy of a page refuses, or would, is a complaint', async () => {
    const { page: strict, context, complaints: heard } = await person(browser, { baseURL: program.address });
    for (const [nth, header] of [
      'content-security-policy',
      'content-security-policy-report-only',
    ].entries()) {
      await strict.route('**/strict', (route) =>
        route.fulfill({
          contentType: 'text/html',
          headers: { [header]: "default-src 'none'" },
          body: '<img src="/favicon.svg">',
        }),
      );
      const told = strict.waitForEvent('console', (message) => message.text().startsWith('the policy'));
      await strict.goto('/strict');
      await told;
      const refused = heard.filter((line) => line.includes('/favicon.svg by img-src'));
      expect(refused).toHaveLength(nth + 1);
      await strict.unroute('**/strict');
    }
    await context.close();
  });

  test('no page asks anybody else for anything, or complains', () => {
    expect(asked.filter((url) => !url.startsWith(`${program.address}/`))).toEqual([]);
    expect(complaints.flat()).toEqual([]);
  });
});
