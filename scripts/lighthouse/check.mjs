// Measures the public pages as a phone sees them, by Lighthouse in a real Chromium, on the built program: the median of three
// runs, one page at a time. `--gate` takes the four pages that a check of a commit waits for, on an empty log as `npm start`
// serves it; without it every public page is taken, on the demonstration, which has texts and products for them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { sitePaths } from '../../dist/libs/contracts/index.js';
import { findChromium, freePort, inFolder, READY, withBuilt } from '../lib/program.mjs';
import { root } from '../lib/toolchain.mjs';

const isGate = process.argv.includes('--gate');
const RUNS = 3;
/** How often a run may end without a trace. */
const TRIES = 3;
/** What the gate asks of performance, and what every page is to reach. */
const PERFORMANCE = isGate ? 90 : 95;
const SEO = 95;
/** Pages that are come to by a link with something in it. */
const LINKED = {
  registerAdmin: '#invitation=none',
  resetPassword: '#none',
  verifyEmail: '#none',
  confirmEmail: '#none',
};
const GATED = ['site', 'login', 'register', 'contact'];
const WRITTEN = join(root, '.cache', 'lighthouse');

/** The pages to measure, each with whether it is meant to be found: those that the site map names are. */
async function pagesOf(address) {
  const map = await (await fetch(`${address}/sitemap.xml`)).text();
  const { items } = await (await fetch(`${address}/api/products`)).json();
  const names = isGate ? GATED : Object.keys(sitePaths);
  return names.map((name) => {
    const path = sitePaths[name].replace(':productName', encodeURIComponent(items[0]?.productName));
    const url = path + (LINKED[name] ?? '');
    return { path: url, isFound: map.includes(`<loc>${new URL(path, address).href}</loc>`) };
  });
}

const score = (lhr, category) => Math.round((lhr.categories[category]?.score ?? 0) * 100);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Where a category loses points, in Lighthouse's own words. */
function lostIn(lhr, category) {
  return lhr.categories[category].auditRefs
    .filter(({ weight, id }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9)
    .map(({ id }) => `${id} ${lhr.audits[id].displayValue ?? ''}`.trim());
}

/** One run; a trace that Chromium lost, as a machine that is busy has it, is taken again. */
async function runOnce(url, flags) {
  for (let tries = TRIES; ; tries--) {
    const { lhr } = await lighthouse(url, flags);
    if (lhr.runtimeError === undefined) return lhr;
    if (tries === 1) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  }
}

/** A page by Lighthouse's defaults, which are those of a phone. Only speed differs from run to run. */
async function measure(address, port, { path, isFound }) {
  const runs = [];
  for (let run = 0; run < RUNS; run++) {
    const onlyCategories = ['performance', ...(run === 0 ? ['accessibility', 'best-practices', 'seo'] : [])];
    runs.push(await runOnce(address + path, { port, onlyCategories, logLevel: 'error' }));
  }
  const [first] = runs;
  const performance = median(runs.map((lhr) => score(lhr, 'performance')));
  const shown = runs.find((lhr) => score(lhr, 'performance') === performance);
  const limits = { performance: PERFORMANCE, accessibility: 100, 'best-practices': 100 };
  if (isFound) limits.seo = SEO;
  const row = { page: path, performance };
  for (const category of ['accessibility', 'best-practices', 'seo']) row[category] = score(first, category);
  const under = Object.keys(limits).filter((category) => row[category] < limits[category]);
  const lost = under.flatMap((category) => lostIn(category === 'performance' ? shown : first, category));
  const ms = (id) => Math.round(shown.audits[id].numericValue);
  return {
    row: {
      ...row,
      seo: isFound ? row.seo : '–',
      'LCP ms': ms('largest-contentful-paint'),
      'TBT ms': ms('total-blocking-time'),
      CLS: shown.audits['cumulative-layout-shift'].numericValue.toFixed(3),
    },
    under,
    lost,
  };
}

/** Prints the table and writes it, with where points were lost. */
function report(measured) {
  const rows = measured.map(({ row }) => row);
  console.table(rows);
  const columns = Object.keys(rows[0]);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const table = [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(Object.values(row))),
  ];
  mkdirSync(WRITTEN, { recursive: true });
  writeFileSync(join(WRITTEN, `${isGate ? 'gate' : 'pages'}.md`), `${table.join('\n')}\n`);
  const failed = measured.filter(({ under }) => under.length > 0);
  for (const { row, under, lost } of failed)
    console.error(`${row.page} is under its limits in ${under.join(', ')}: ${lost.join(' · ')}`);
  if (failed.length > 0) process.exitCode = 1;
}

/** Measures the pages of a program at an address. */
async function measureAll(address) {
  const chrome = await launch({
    chromePath: findChromium(),
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    logLevel: 'silent',
  });
  try {
    const measured = [];
    for (const page of await pagesOf(address)) measured.push(await measure(address, chrome.port, page));
    report(measured);
  } finally {
    chrome.kill();
  }
}

await inFolder(async (folder) => {
  const env = { PATH: process.env.PATH, PORT: String(await freePort()), LODE_DATA: folder };
  await withBuilt(isGate ? 'main.js' : 'demo.js', env, [READY], measureAll);
});
