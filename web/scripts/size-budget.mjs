/**
 * Weighs what a browser loads before it can show each first screen, gzipped, and fails when one is over its budget.
 * Reads the manifest of the last build: a screen is its entry, the chunks that its routes name, and all they import.
 * Given the address of a running Lode, weighs what that sends over the wire to a browser that takes gzip.
 * The pages of the site are those of the last build of the server, with the content that there is until somebody changes it.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { textsToAccept } from '../../dist/libs/application/registration/texts.js';
import { defaultContent, PASSWORD_LENGTH, sitePaths } from '../../dist/libs/contracts/index.js';
import { renderPage } from '../../dist/libs/site/index.js';
import { closureOf, readManifest } from '../../dist/web/e2e/manifest.js';
import { siteAssetsIn } from '../../dist/services/api/pages/assets.js';

const dist = new URL('../dist/', import.meta.url);
const manifest = readManifest();
const KB = 1000;

/** Budgets in kilobytes, gzipped. A page of the site counts with its style sheets, and has no React. */
const screens = [
  ...['site', 'about', 'contact', 'risk', 'login', 'register'].map((page) => ({
    name: `public page ${sitePaths[page]}`,
    chunks: ['src/app/site/site.ts'],
    page,
    js: 30,
    css: 40,
  })),
  {
    name: 'sign-in with its second step',
    chunks: ['src/app/site/site.ts', 'src/webauthn/index.ts'],
    page: 'login',
    js: 45,
    css: 40,
  },
  { name: 'widget', chunks: ['src/app/site/widget.ts'], page: 'widget', js: 8, css: 12 },
  {
    name: 'wallet, first screen',
    chunks: ['app.html', 'src/app/shell/shell.tsx', 'src/app/wallet/dashboard.tsx'],
    js: 190,
    css: 30,
    never: /\/admin\/|features\/decision/,
  },
];

/** What each part that is loaded later, a route or a panel, may add to the shell: chunks that the shell has loaded don't count. */
const shell = ['app.html', 'src/app/shell/shell.tsx'];
/** What admins have around each of their screens, which has a budget of its own. */
const adminShell = ['src/app/admin/frame.tsx', 'src/app/admin/screens.tsx'];
const ADDED_KB = 45;
const AUDIT_KB = 70;
/**
 * Some may add more: the sign-in and the proof over a page are a dialog and a form, and come when nothing else is to be done, as do two dialogs
 * of admins that are forms; the log is
 * read closely.
 */
const MORE_KB = {
  'src/features/auth/sign-in-again.tsx': 50,
  'src/features/step-up/step-up-dialog.tsx': 50,
  'src/features/dollar-rate/dollar-rate.tsx': 50,
  'src/features/products/product-dialog.tsx': 52,
  ...Object.fromEntries(
    ['activity', 'events', 'security-events', 'streams', 'travel', 'trial-balance'].map((name) => [
      `src/app/admin/${name}.tsx`,
      AUDIT_KB,
    ]),
  ),
};
/** A build that loads one of these at once has lost the split that the budgets go by. */
const SPLIT = [
  'src/app/wallet/settings.tsx',
  'src/app/wallet/transfer.tsx',
  'src/app/admin/funds-management.tsx',
];
const later = Object.keys(manifest).filter((key) => manifest[key].isDynamicEntry && !shell.includes(key));

const closure = (keys) => closureOf(manifest, keys);
const [address] = process.argv.slice(2);

/** What a running Lode sends as the body of a path, as it sends it. */
async function sent(path) {
  const url = new URL(path, address);
  const [response] = await once(get(url, { headers: { 'accept-encoding': 'gzip' } }), 'response');
  if (response.statusCode !== 200) throw new Error(`${url.href} answers ${response.statusCode}.`);
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  return bytes;
}

const REACT = /Symbol\.for\(.react\./;
const hasReact = (key) => REACT.test(readFileSync(new URL(manifest[key].file, dist), 'utf8'));
const zipped = (file) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length;

async function weigh(files) {
  let bytes = 0;
  for (const file of files) bytes += address === undefined ? zipped(file) : await sent(`/${file}`);
  return bytes / KB;
}

async function weighPage(page) {
  if (address !== undefined) return (await sent(sitePaths[page])) / KB;
  const contact = { phoneNumber: null, email: null, contactAddress: null };
  const view = {
    content: defaultContent,
    contact,
    hasProducts: true,
    passwordMin: PASSWORD_LENGTH.byDefault,
    toAccept: textsToAccept(defaultContent),
    publicUrl: 'http://localhost:3000',
    assets: siteAssetsIn(fileURLToPath(dist)),
  };
  return gzipSync(renderPage(page, view)).length / KB;
}

async function sizesOf(keys) {
  const chunks = [...keys].map((key) => manifest[key]);
  return {
    js: await weigh(new Set(chunks.map(({ file }) => file).filter((file) => file.endsWith('.js')))),
    css: await weigh(new Set(chunks.flatMap(({ css = [] }) => css))),
  };
}

const rows = [];
let failed = false;
const check = (name, what, size, budget) => {
  const over = size > budget;
  failed ||= over;
  rows.push({ screen: name, what, kB: size.toFixed(1), budget, '': over ? 'OVER' : 'ok' });
};

for (const { name, chunks, page, js, css, never } of screens) {
  const keys = closure(chunks);
  const sizes = await sizesOf(keys);
  check(name, 'JS', sizes.js, js);
  const html = page === undefined ? 0 : await weighPage(page);
  check(name, page === undefined ? 'CSS' : 'CSS + HTML', sizes.css + html, css);
  const strays = [...keys].filter((key) => (never === undefined ? hasReact(key) : never.test(key)));
  if (strays.length > 0) {
    failed = true;
    rows.push({
      screen: name,
      what: `loads ${strays.join(', ')}`,
      kB: '',
      budget: 'never',
      '': 'OVER',
    });
  }
}
for (const key of SPLIT.filter((one) => !later.includes(one)))
  throw new Error(`The build does not load ${key} later.`);
const loaded = closure(shell);
const loadedByAdmins = closure([...shell, ...adminShell]);
for (const key of later) {
  const isAdmins = key.startsWith('src/app/admin/') && !adminShell.includes(key);
  const before = isAdmins ? loadedByAdmins : loaded;
  const extra = [...closure([key])].filter((part) => !before.has(part));
  const name = `${key.replace(/^(\.\.\/node_modules|src)\//, '')}, on top`;
  check(name, 'JS', (await sizesOf(extra)).js, MORE_KB[key] ?? ADDED_KB);
}

console.table(rows);
if (failed) {
  console.error('A screen is over its budget.');
  process.exitCode = 1;
}
