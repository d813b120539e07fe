import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { URLSearchParams } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { findChromium } from '../lib/program.mjs';
import { quantile } from './client.mjs';

/** How much slower than this machine the browser is, and how long it scrolls. */
const SLOWER = 4;
const SECONDS = 60;
/** What the list may hold in elements, how long a frame may take and how much the heap may grow, at the most. */
const NODES_MAX = 600;
const FRAME_MS = 50;
const HEAP_MIB = 30;
const FIRST_ROWS_MS = 300;
/** The year that the events are of, and a moment in the midst of the first of them. */
const UNTIL = '2025-12-31T00:00:00Z';
const INSTANT = '2025-01-01T12:00:00';
const MIB = 1_024 * 1_024;
const WAIT_MS = 60_000;
/** What is scrolled at a time, in pixels, how often between two jumps, and which looks are held against the API. */
const STEP = 600;
const SCROLLS = 40;
const COMPARED = 20;
const LIST = `document.querySelector('[aria-label="All events"]')`;

/** Remembers how long each frame took. */
const WATCH = `
  globalThis.frames = [];
  let before = performance.now();
  (function frame(now) { frames.push(now - before); before = now; requestAnimationFrame(frame); })(before);`;

/**
 * The list of all events over a log of so many, in a browser that is four times slower: a minute of scrolling, and of jumping to its
 * ends and to an instant. Throws when what it shows is not what the API lists, and when it holds more elements, or more of the
 * heap, than it may; how long it takes is told alone, since that is the machine's.
 */
export async function measureExplorer(root, count, { row, say }) {
  const from = (path) => import(join(root, 'dist', ...path));
  const [{ startProgram }, { enterPassword, newPerson }] = await Promise.all([
    from(['web', 'e2e', 'program.js']),
    from(['web', 'e2e', 'people.js']),
  ]);
  const program = await startProgram();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
  });
  try {
    const admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    const list = (query) => admin.get('events', { query });
    const event = (eventId) => admin.get('event', { params: { eventId } });
    await write(root, program, count, say);
    await untilListed(list, count, say);
    const page = await browser.newPage({
      baseURL: program.address,
      viewport: { width: 1440, height: 900 },
    });
    page.setDefaultTimeout(WAIT_MS);
    await enterPassword(page, admin.email);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await look(page, { event, list }, count, row);
  } finally {
    await browser.close();
    await program.stop();
  }
}

async function write(root, program, count, say) {
  say(`writing ${count.toLocaleString('en')} events`);
  const writer = join(root, 'dist', 'services', 'lode', 'testing', 'many-events.js');
  const resume = await program.pause();
  await promisify(execFile)(process.execPath, [writer, program.folder, String(count)]);
  await resume();
}

/** Waits until the read model has the last of the events. */
async function untilListed(list, count, say) {
  say('waiting until they are listed');
  const asked = { type: 'RequestsLimited', to: UNTIL, limit: '1' };
  const revision = (count - 1) % 500;
  const hours = Math.floor((count - 1) / 500);
  const stream = `security-${new Date(Date.UTC(2025, 0, 1, hours)).toISOString().slice(0, 13)}`;
  for (;;) {
    const [newest] = (await list(asked)).items;
    if (newest?.stream === stream && newest.revision === revision) return;
    await pause(500);
  }
}

async function look(page, { event, list }, count, row) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  const asked = { type: 'RequestsLimited', to: UNTIL };
  await page.goto(`/auth/audit/events?${new URLSearchParams(asked)}`);
  await page.getByRole('button', { name: 'RequestsLimited', exact: true }).first().waitFor();
  const first = await openList(page);
  await page.evaluate(WATCH);
  const before = await heap();
  const { nodes, looks } = await scroll(page);
  const after = await heap();
  const frames = (await page.evaluate('globalThis.frames')).slice(1).toSorted((a, b) => a - b);
  await compare(event, list, asked, looks);
  const p95 = quantile(frames, 0.95);
  const grown = (after - before) / MIB;
  const slow = (ms, most) => (ms > most ? `; ms MORE THAN ${most}` : '');
  row(`explorer: first rows of ${count.toLocaleString('en')} events in one list`, {
    p50: first,
    note: `${SLOWER}× slower${slow(first, FIRST_ROWS_MS)}`,
  });
  row(`explorer: a frame of ${SECONDS} s of scrolling and jumping`, {
    p50: quantile(frames, 0.5),
    p99: quantile(frames, 0.99),
    note:
      `p95 ${p95.toFixed(1)} ms; ${nodes} elements at most, the heap grew by ${grown.toFixed(1)} MiB, ` +
      `${looks.length} looks as the API lists them${slow(p95, FRAME_MS)}`,
  });
  if (nodes > NODES_MAX) throw new Error(`The list held ${nodes} elements, more than ${NODES_MAX}.`);
  if (grown > HEAP_MIB) throw new Error(`The heap grew by ${grown.toFixed(1)} MiB, more than ${HEAP_MIB}.`);
}

/** How long it takes from the choice of one list to its first rows, in milliseconds, as the page itself sees it. */
async function openList(page) {
  await page.evaluate(`globalThis.shown = new Promise((resolve) => {
    let from;
    document.addEventListener('click', () => { from = performance.now(); }, { capture: true, once: true });
    const look = () => {
      const row = from !== undefined && ${LIST}?.querySelector('tr[data-event]');
      if (row) resolve(performance.now() - from);
      else requestAnimationFrame(look);
    };
    look();
  }); undefined`);
  await page.getByRole('radio', { name: 'All in one list' }).click();
  return page.evaluate('globalThis.shown');
}

/** Scrolls and jumps for a minute; what was on screen at some looks is then held against what the API lists there. */
async function scroll(page) {
  const until = performance.now() + SECONDS * 1_000;
  const looks = [];
  let nodes = 0;
  const jumps = [
    () => page.getByRole('button', { name: 'Oldest', exact: true }).click(),
    async () => {
      await page.getByLabel('An instant, UTC').fill(INSTANT);
      await page.getByRole('button', { name: 'Go', exact: true }).click();
    },
    () => page.getByRole('button', { name: 'Newest', exact: true }).click(),
  ];
  for (let n = 0; performance.now() < until; n++) {
    const round = Math.floor(n / SCROLLS);
    if (n > 0 && n % SCROLLS === 0) await jumps[(round - 1) % jumps.length]();
    // From the oldest event there is only a way up.
    await page.evaluate(`${LIST}.scrollBy(0, ${round % jumps.length === 1 ? -STEP : STEP})`);
    const seen = await page.evaluate(`({
      nodes: ${LIST}.querySelectorAll('*').length,
      ids: [...${LIST}.querySelectorAll('tr[data-event]')].map((row) => row.dataset.event),
    })`);
    nodes = Math.max(nodes, seen.nodes);
    if (n % COMPARED === 0 && seen.ids.length > 0) looks.push(seen.ids);
  }
  return { nodes, looks };
}

/** Throws when rows that were seen are not those that the API lists from the first of them on. */
async function compare(event, list, asked, looks) {
  for (const ids of looks) {
    const { at } = await event(ids[0]);
    // What is asked for up to an instant is before it.
    const to = new Date(Date.parse(at) + 1).toISOString();
    const { items } = await list({ ...asked, to, limit: '100' });
    const listed = items.slice(0, ids.length).map(({ id }) => id);
    if (listed.join() !== ids.join()) throw new Error(`The rows from ${at} on are not those of the API.`);
  }
}
