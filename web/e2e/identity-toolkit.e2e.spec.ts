import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { routes } from '#contracts';
import { chromiumPath, launch, person } from './browser.js';
import { startProgram, type Program } from './program.js';

const PASSWORD = 'correct horse battery';
const newEmail = () => `ann-${randomUUID()}@example.org`;
const firebase = dirname(createRequire(import.meta.url).resolve('firebase/package.json'));
/** The client as it is for browsers; one part names another by its place on the net, here by its place beside it. */
const part = (name: string) =>
  readFileSync(join(firebase, name), 'utf8').replace(/https:\/\/www\.gstatic\.com\/firebasejs\/[\d.]+/g, '.');

/** An application's own page, which has nothing of Lode's and speaks to it with the firebase client alone. */
const pageFor = (lode: string) => `<!doctype html><title>An application</title><script type="module">
  import { initializeApp } from '/firebase-app.js';
  import * as auth from '/firebase-auth.js';
  const app = initializeApp({ apiKey: 'any', projectId: 'lode' });
  const own = auth.initializeAuth(app, { persistence: auth.inMemoryPersistence });
  auth.connectAuthEmulator(own, '${lode}', { disableWarnings: true });
  const told = (work) => work.then(() => 'done', (error) => error.code);
  window.signUp = (email, password) => told(auth.createUserWithEmailAndPassword(own, email, password));
  window.signIn = (email, password) => told(auth.signInWithEmailAndPassword(own, email, password));
  window.refresh = () => told(own.currentUser.getIdToken(true));
  window.policy = (password) => auth.validatePassword(own, password).then(({ isValid }) => isValid);
</script>`;

/** What the application's page offers to whoever drives it. */
type Offered = {
  readonly signUp: (email: string, password: string) => Promise<string>;
  readonly signIn: (email: string, password: string) => Promise<string>;
  readonly refresh: () => Promise<string>;
  readonly policy: (password: string) => Promise<boolean>;
};

let browser: Browser | undefined;
let pages: Server;
let own: string;
let other: string;
let program: Program;

beforeAll(async () => {
  pages = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    const isScript = /^firebase-(app|auth)\.js$/.test(name);
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? part(name) : pageFor(program.address));
  });
  pages.listen(0);
  await once(pages, 'listening');
  const { port } = pages.address() as AddressInfo;
  // Two names of one machine are two origins, and so is Lode at its own port.
  [own, other] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  program = await startProgram({ LODE_IDENTITY_TOOLKIT: 'true', LODE_IDENTITY_TOOLKIT_ORIGINS: own });
  if (chromiumPath === undefined)
    console.warn('not run: the firebase client in a browser (there is no Chromium here)');
  else browser = await launch(chromiumPath);
});
afterAll(async () => {
  await browser?.close();
  await program.stop();
  pages.close();
  pages.closeAllConnections();
});

const driven = chromiumPath === undefined ? test.skip : test;

/** The application's page in a browser, from one of its origins. */
async function open(origin: string) {
  if (browser === undefined) throw new Error('there is a browser');
  const opened = await person(browser, { baseURL: origin });
  await opened.page.goto('/');
  await opened.page.waitForFunction(() => 'policy' in globalThis);
  return opened;
}

driven('a page of an origin that Lode was told of signs people up and in, and stays signed in', async () => {
  const { page, context, complaints } = await open(own);
  const credentials = [newEmail(), PASSWORD] as const;
  const call = (name: 'signUp' | 'signIn', [address, password]: readonly [string, string]) =>
    page.evaluate(([way, one, two]) => (globalThis as unknown as Offered)[way](one, two), [
      name,
      address,
      password,
    ] as const);
  expect(await call('signUp', credentials)).toBe('done');
  expect(await call('signIn', credentials)).toBe('done');
  expect(await page.evaluate(() => (globalThis as unknown as Offered).refresh())).toBe('done');
  expect(await page.evaluate(() => (globalThis as unknown as Offered).policy('short'))).toBe(false);
  // A refusal reaches the page as what it is.
  expect(await call('signUp', credentials)).toBe('auth/email-already-in-use');
  expect(complaints).toEqual([]);
  await context.close();
});

driven('a page of any other origin gets nothing', async () => {
  const { page, context, complaints } = await open(other);
  const email = newEmail();
  const signedUp = await page.evaluate(([one, two]) => (globalThis as unknown as Offered).signUp(one, two), [
    email,
    PASSWORD,
  ] as const);
  expect(signedUp).toBe('auth/network-request-failed');
  expect(complaints).toEqual([expect.stringContaining('blocked by CORS policy')]);
  // Not even the sign-up has taken place.
  const answer = await fetch(`${program.address}${routes.signIn.path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  expect(answer.status).toBe(401);
  await context.close();
});
