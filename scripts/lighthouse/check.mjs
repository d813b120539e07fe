// Measures the public pages as a phone sees them, by Lighthouse in a real Chromium, on the built program: the median of three
// runs, one page at a time. `--gate` takes four pages, on an empty log as `npm start`
// serves it; without it every public page is taken, on the demonstration, which has texts and products for them. Then comes the
// wallet of a customer there: its first screen, and without `--gate` how long it takes to answer what is pressed and typed.
// The score of performance depends on the machine: it is printed, and nothing fails by it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { pagePaths, sitePaths } from '../../dist/libs/contracts/index.js';
import { findChromium, freePort, inFolder, READY, withBuilt } from '../lib/program.mjs';
import { root } from '../lib/toolchain.mjs';
import { interactionsOn, withWallet } from './wallet.mjs';

const isGate = process.argv.includes('--gate');
const RUNS = 3;
/** How often a run may end without a trace. */
const TRIES = 3;
/** What a page may ask for until it has come to rest, itself included: the first page with its pictures, and the others. */
const [FIRST_REQUESTS, REQUESTS, WALLET_REQUESTS] = [22, 16, 80];
const SEO = 95;
/** How far what a public page shows may move while it loads: the score of that name. */
const MOVES = 0.02;
/** What 95 of 100 interactions with the wallet are to stay under, in milliseconds. It is told, and nothing fails by it. */
const INTERACTION_MS = 100;
/** Pages that are come to by a link with something in it. */
const LINKED = {
  registerAdmin: '#invitation=none',
  resetPassword: '#none',
  verifyEmail: '#none',
  confirmEmail: '#none',
};
const GATED = ['site', 'login', 'register', 'contact'];
const LIMITS = { accessibility: 100, 'best-practices': 100 };
const WRITTEN = join(root, '.cache', 'lighthouse');

/** The pages to measure, each with its limits: those that the site map names are meant to be found. */
async function pagesOf(address) {
  const map = await (await fetch(`${address}/sitemap.xml`)).text();
  const { items } = await (await fetch(`${address}/api/products`)).json();
  const names = isGate ? GATED : Object.keys(sitePaths);
  return names.map((name) => {
    const path = sitePaths[name].replace(':productName', encodeURIComponent(items[0]?.productName));
    const url = path + (LINKED[name] ?? '');
    const requests = name === 'site' ? FIRST_REQUESTS : REQUESTS;
    const isFound = map.includes(`<loc>${new URL(path, address).href}</loc>`);
    return {
      path: url,
      limits: { ...LIMITS, ...(isFound && { seo: SEO }) },
      most: { requests, moves: MOVES },
    };
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

/**
 * The phone that is stood for is so many times slower than a machine of this index by Lighthouse's own benchmark, which is that of the machine
 * on which the limits were set. One that is slower itself, or busy, is slowed down by less: the score is to be the page's.
 */
const [SLOWDOWN, INDEX] = [4, 2_400];
let index;

/** One run as of that phone, by what the run before it said of the machine. */
async function runAsPhone(url, flags) {
  index ??= (await runOnce(url, { ...flags, onlyCategories: ['seo'] })).environment.benchmarkIndex;
  const cpuSlowdownMultiplier = Math.max(1, SLOWDOWN * Math.min(1, index / INDEX));
  const lhr = await runOnce(url, { ...flags, throttling: { cpuSlowdownMultiplier } });
  index = lhr.environment.benchmarkIndex;
  return lhr;
}

/** A page by Lighthouse's defaults for a phone; `keeps` what the browser knows of it. Only speed differs from run to run. */
async function measure(address, port, { path, limits, most, keeps = false }) {
  const runs = [];
  for (let run = 0; run < RUNS; run++) {
    const onlyCategories = ['performance', ...(run === 0 ? ['accessibility', 'best-practices', 'seo'] : [])];
    const flags = { port, onlyCategories, logLevel: 'error', disableStorageReset: keeps };
    runs.push(await runAsPhone(address + path, flags));
  }
  const [first] = runs;
  const performance = median(runs.map((lhr) => score(lhr, 'performance')));
  const shown = runs.find((lhr) => score(lhr, 'performance') === performance);
  const row = { page: path, performance };
  for (const category of ['accessibility', 'best-practices', 'seo']) row[category] = score(first, category);
  const under = Object.keys(limits).filter((category) => row[category] < limits[category]);
  const lost = under.flatMap((category) => lostIn(first, category));
  const ms = (id) => Math.round(shown.audits[id].numericValue);
  const moved = Math.max(...runs.map((lhr) => lhr.audits['cumulative-layout-shift'].numericValue));
  const { moves = Infinity, requests } = most;
  if (moved > moves) {
    under.push('steadiness');
    lost.push(`a layout shift of ${moved.toFixed(3)}, over ${moves}`);
  }
  const asked = Math.max(...runs.map((lhr) => lhr.audits['network-requests'].details.items.length));
  if (asked > requests) {
    under.push('requests');
    lost.push(`${asked} requests, over ${requests}`);
  }
  return {
    row: {
      ...row,
      seo: limits.seo === undefined ? '–' : row.seo,
      'LCP ms': ms('largest-contentful-paint'),
      'TBT ms': ms('total-blocking-time'),
      CLS: moved.toFixed(3),
      requests: asked,
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

/** The wallet's first screen, and what came of the way through it, which is printed. */
function measureWallet(address) {
  return withWallet(address, async (page, port) => {
    const most = { requests: WALLET_REQUESTS };
    const screen = await measure(address, port, {
      path: pagePaths.dashboard,
      limits: LIMITS,
      most,
      keeps: true,
    });
    if (isGate) return screen;
    const { count, p95, slowest } = await interactionsOn(page);
    console.log(
      `${count} interactions with the wallet: 95 of 100 within ${p95} ms (wanted: ${INTERACTION_MS}). The slowest:`,
    );
    console.table(slowest);
    return screen;
  });
}

/** Measures the public pages of a program at an address. */
async function measurePages(address) {
  const chrome = await launch({
    chromePath: findChromium(),
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    logLevel: 'silent',
  });
  try {
    const measured = [];
    for (const page of await pagesOf(address)) measured.push(await measure(address, chrome.port, page));
    return measured;
  } finally {
    chrome.kill();
  }
}

/** What comes of a program on a folder of its own. */
function measuredOn(program, measureAt) {
  return inFolder(async (folder) => {
    const env = { PATH: process.env.PATH, PORT: String(await freePort()), LODE_DATA: folder };
    const measured = [];
    await withBuilt(program, env, [READY], async (address) => measured.push(...(await measureAt(address))));
    return measured;
  });
}

const ofPages = await measuredOn(isGate ? 'main.js' : 'demo.js', measurePages);
const ofWallet = await measuredOn('demo.js', async (address) => [await measureWallet(address)]);
report([...ofPages, ...ofWallet]);
