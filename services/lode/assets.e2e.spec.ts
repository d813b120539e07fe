import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { dataFolder, startProgram, type Listening } from './testing/index.js';

/* What a browser is sent of the pages, by the program as it is built. */

const WEB = new URL('../../../web/', import.meta.url);
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

async function ask(path: string, encoding: string) {
  const url = new URL(path, program.visitor.address);
  const asking = get(url, { headers: { 'accept-encoding': encoding } });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { headers: response.headers, body: await buffer(response) };
}

const assets = readdirSync(new URL('dist/assets/', WEB)).filter((name) => !/\.(?:br|gz)$/.test(name));

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('each text is sent compressed with %s, and is what was built', async (encoding, decompress) => {
  expect(assets.length).toBeGreaterThan(20);
  for (const name of assets) {
    const file = readFileSync(new URL(`dist/assets/${name}`, WEB));
    const { headers, body } = await ask(`/assets/${name}`, encoding);
    const isText = /\.(?:js|css|svg)$/.test(name) && file.length >= 1_000;
    expect([name, headers['content-encoding']]).toEqual([name, isText ? encoding : undefined]);
    expect((isText ? decompress(body) : body).equals(file)).toBe(true);
    expect(headers.vary ?? '').toMatch(isText ? /accept-encoding/i : /^/);
  }
});

test.each(['/', '/login'])('the page at %s is made for each who asks, and sent compressed', async (path) => {
  const [plain, small] = [await ask(path, 'identity'), await ask(path, 'gzip, br')];
  const unnamed = (html: string) => html.replace(/nonce(?:" content)?="[^"]+"/g, '');
  expect([small.headers['content-encoding'], small.headers['content-type']]).toEqual([
    'br',
    'text/html; charset=utf-8',
  ]);
  expect(unnamed(String(brotliDecompressSync(small.body)))).toBe(unnamed(String(plain.body)));
  expect(small.headers.vary).toMatch(/accept-encoding/i);
  expect(small.headers.etag).toBeUndefined();
});

test('what goes over the wire keeps to the budget of each screen', async () => {
  const script = new URL('scripts/size-budget.mjs', WEB).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, program.visitor.address]);
  expect(stdout).toContain('sign-in page');
});
