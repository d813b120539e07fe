import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { dataFolder, join, startProgram, type Listening } from '../testing/index.js';

/* What a browser is sent of the pages, by the program as it is built. */

const WEB = new URL('../../../../web/', import.meta.url);
const folder = dataFolder();
let program: Listening;

beforeAll(async () => {
  program = await startProgram(folder.path);
});
afterAll(async () => {
  program.child.kill('SIGKILL');
  await program.ended;
  await folder.remove();
});

async function ask(path: string, sent: Readonly<Record<string, string>>) {
  const asking = get(new URL(path, program.visitor.address), { headers: sent });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

/** A page without what is another with each answer. */
const unnamed = (html: string) => html.replace(/nonce(?:" content)?="[^"]+"/g, '');

const assets = readdirSync(new URL('dist/assets/', WEB), { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.\w+$/.test(name) && !/\.(?:br|gz)$|\.\d+$/.test(name),
);

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('each text is sent compressed with %s, and is what was built', async (encoding, decompress) => {
  expect(assets.length).toBeGreaterThan(20);
  for (const name of assets) {
    const file = readFileSync(new URL(`dist/assets/${name}`, WEB));
    const { headers, body } = await ask(`/assets/${name}`, { 'accept-encoding': encoding });
    const isText = /\.(?:js|css|svg)$/.test(name) && file.length >= 300;
    expect([name, headers['content-encoding']]).toEqual([name, isText ? encoding : undefined]);
    expect((isText ? decompress(body) : body).equals(file)).toBe(true);
    expect(headers.vary ?? '').toMatch(isText ? /accept-encoding/i : /^/);
  }
});

test.each([
  ['/', 'is the same for all, with a tag'],
  ['/login', 'is the same for all, with a tag'],
  ['/auth/dashboard', 'is made for each who asks'],
])('the page at %s %s, and is sent compressed', async (path) => {
  const [plain, small] = [
    await ask(path, { 'accept-encoding': 'identity' }),
    await ask(path, { 'accept-encoding': 'gzip, br' }),
  ];
  expect([small.headers['content-encoding'], small.headers['content-type']]).toEqual([
    'br',
    'text/html; charset=utf-8',
  ]);
  expect(unnamed(String(brotliDecompressSync(small.body)))).toBe(unnamed(String(plain.body)));
  expect(small.headers.vary).toMatch(/accept-encoding/i);
  // A page with a nonce is nobody else's.
  const isApp = path === '/auth/dashboard';
  expect(plain.body.equals(brotliDecompressSync(small.body))).toBe(!isApp);
  expect([small.headers.etag !== undefined, small.headers.etag]).toEqual([!isApp, plain.headers.etag]);
});

test('a path with an id says nothing of who exists, and one that can’t be an id is not found', async () => {
  const { userId } = await join(program.visitor, 'Ann');
  const goTo = async (path: string, accept = 'text/html') => {
    const { status, headers, body } = await ask(path, { accept });
    const told = Object.keys(headers).sort();
    return { status, type: headers['content-type'], told, html: unnamed(String(body)) };
  };
  for (const accept of ['text/html', '*/*']) {
    const known = await goTo(`/fund-request-history/${userId}`, accept);
    expect(known.status).toBe(200);
    expect(await goTo(`/fund-request-history/${randomUUID()}`, accept)).toEqual(known);
  }
  const page = await goTo('/fund-request-history/no%20id');
  expect([page.status, page.type]).toEqual([404, 'text/html; charset=utf-8']);
  for (const path of ['/fund-request-history/no%20id', '/api/products/by-name/None']) {
    const { status, type } = await goTo(path, '*/*');
    expect([path, status, type]).toEqual([path, 404, 'application/problem+json; charset=utf-8']);
  }
});

test('what goes over the wire keeps to the budget of each screen', async () => {
  const script = new URL('scripts/size-budget.mjs', WEB).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, program.visitor.address]);
  expect(stdout).toContain('public page /login');
});
