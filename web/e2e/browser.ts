import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { expect } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Where a Chromium may be; `CHROMIUM` names another. */
const CHROMIUMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium on this machine, or undefined: then nothing is driven, and the run says so. */
export const chromiumPath = [process.env['CHROMIUM'], ...CHROMIUMS].find(
  (path): path is string => path !== undefined && existsSync(path),
);

/** This machine, by its names; nothing that a page may ask anything of has another. */
const HERE = ['localhost', '127.0.0.1'];

/** A headless browser that asks nothing of the network beyond the pages it is given: other names lead nowhere. */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=MAP * ~NOTFOUND, ${HERE.map((name) => `EXCLUDE ${name}`).join(', ')}`,
    ],
  });
}

/** How long a step waits for what it needs, in milliseconds. A slow machine that is busy takes many times longer than usual. */
const WAIT_MS = 60_000;

/** Where tests note the pages that they reach, for a run that holds the specification against them. */
const notes = process.env['LODE_TEST_PAGES'];

/** Notes each address that a page comes to, with the test that is running, until it is closed. */
function noteWhereItGoes(page: Page): void {
  if (notes === undefined) return;
  const id = randomUUID();
  const note = (path: string | null) => {
    const { currentTestName: test = null, testPath: file } = expect.getState();
    appendFileSync(notes, `${JSON.stringify({ file, test, page: id, path })}\n`);
  };
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && frame.url().startsWith('http')) note(new URL(frame.url()).pathname);
  });
  page.on('close', () => note(null));
}

/** Has a page say in its console what its content policy refuses, also where it only reports that. */
const TELL_REFUSED = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error(\`the policy refuses \${blockedURI} by \${violatedDirective}\`))`;

/** What a page did that a person would not see: script errors, blocked content, errors in the console, what it asked others. */
export type Complaints = readonly string[];

/** Who is at a browser, and what they have of one. */
type Options = {
  readonly baseURL: string;
  readonly phone?: boolean;
  readonly dark?: boolean;
  /** True for somebody whose browser runs no script. */
  readonly noScript?: boolean;
};

/** A person at a browser of their own, with everything that any of their pages complains about. */
export async function person(
  browser: Browser,
  { baseURL, phone = false, dark = false, noScript = false }: Options,
): Promise<{ readonly page: Page; readonly context: BrowserContext; readonly complaints: Complaints }> {
  const context = await browser.newContext({
    baseURL,
    viewport: phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    hasTouch: phone,
    reducedMotion: 'reduce',
    javaScriptEnabled: !noScript,
  });
  context.setDefaultTimeout(WAIT_MS);
  context.on('page', noteWhereItGoes);
  await context.addInitScript(TELL_REFUSED);
  const complaints = listen(context);
  return { page: await context.newPage(), context, complaints };
}

/** What the pages of a browser complain about, from now on. */
function listen(context: BrowserContext): Complaints {
  const complaints: string[] = [];
  const look = (url: string) => {
    if (/^(https?|wss?):/.test(url) && !HERE.includes(new URL(url).hostname)) complaints.push(`asks ${url}`);
  };
  context.on('request', (request) => look(request.url()));
  context.on('serviceworker', (worker) => complaints.push(`a service worker: ${worker.url()}`));
  context.on('weberror', (problem) => complaints.push(`error: ${problem.error().message}`));
  context.on('console', (message) => {
    // A refusal that the page shows is not a complaint; the browser logs every status of 400 and above.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(`console: ${message.text()}`);
    }
  });
  context.on('page', (page) => {
    page.on('websocket', (socket) => look(socket.url()));
    page.on('worker', (worker) => look(worker.url()));
  });
  return complaints;
}
