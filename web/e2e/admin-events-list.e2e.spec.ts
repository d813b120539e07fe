import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { until } from '#kernel/testing';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { newPerson, type Person } from './people.js';
import { startProgram, type Program } from './program.js';

/** What writes many events into a folder's log, by the store's port. */
const WRITER = fileURLToPath(new URL('../../services/lode/testing/many-events.js', import.meta.url));

if (chromiumPath === undefined)
  console.warn('not run: the list of all events in a browser (no Chromium here; set CHROMIUM)');

const inBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Elements under the table at any moment. */
const NODES_MAX = 600;
const MANY = 20_000;
/** Where the last of them is: an hour has 500. */
const LAST = { stream: 'security-2025-01-02T15', revision: 499 };
/** What is scrolled, in the page's own words. */
const LIST = `document.querySelector('[aria-label="All events"]')`;

const idsShown = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('tr[data-event]')].map((row) => row.dataset.event)`);

/** The ids of all events written here, newest first, as the API lists them, once its read model has them all. */
async function everyEvent(admin: Person): Promise<readonly string[]> {
  const asked = { type: 'RequestsLimited', to: '2025-12-31T00:00:00Z', limit: '100' };
  const listed = (more: Record<string, string>) => admin.get('events', { query: { ...asked, ...more } });
  // The log is read in its order, and the last event is of the last of the written hours.
  const isListed = async () => {
    const [newest] = (await listed({ limit: '1' })).items;
    return newest?.stream === LAST.stream && newest.revision === LAST.revision;
  };
  await until(isListed);
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listed(cursor === null ? {} : { cursor });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  return ids;
}

inBrowser('the list of all events', () => {
  let program: Program;
  let browser: Browser;
  let admin: Person;
  let page: Page;
  let complaints: Complaints;
  beforeAll(async () => {
    program = await startProgram();
    admin = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    const resume = await program.pause();
    await promisify(execFile)(process.execPath, [WRITER, program.folder, String(MANY)]);
    await resume();
    browser = await launch(chromiumPath ?? '');
    ({ page, complaints } = await adminAt(browser, program, admin));
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  test('scrolls through twenty thousand events in one list, of which few are ever there', async () => {
    const all = await everyEvent(admin);
    expect(all).toHaveLength(MANY);
    await page.goto(`/auth/audit/events?view=all&to=2025-12-31T00:00:00Z`);
    const list = page.getByRole('region', { name: 'All events' });
    await list.getByRole('button', { name: 'RequestsLimited' }).first().waitFor();
    /** What is on screen is a piece of the list as the API has it, and little of it. */
    const sample = async () => {
      const [nodes, ids] = [
        await page.evaluate<number>(`${LIST}.querySelectorAll('*').length`),
        await idsShown(page),
      ];
      expect(nodes).toBeLessThanOrEqual(NODES_MAX);
      const from = all.indexOf(ids[0] ?? '');
      expect(ids).toEqual(all.slice(from, from + ids.length));
      return ids;
    };
    expect((await sample())[0]).toBe(all[0]);
    for (let scrolled = 0; scrolled < 30; scrolled++) {
      await page.evaluate(`${LIST}.scrollBy(0, 2500)`);
      await sample();
    }
    await page.getByRole('button', { name: 'Oldest' }).click();
    await page.getByText('The oldest event is at the bottom').waitFor();
    expect((await sample()).at(-1)).toBe(all.at(-1));
    for (let scrolled = 0; scrolled < 10; scrolled++) {
      await page.evaluate(`${LIST}.scrollBy(0, -2500)`);
      await sample();
    }
    await page.getByLabel('An instant, UTC').fill('2025-01-01T12:00:00');
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    await list
      .getByTitle(/^2025-01-01T12:00:0/)
      .first()
      .waitFor();
    const around = await sample();
    const { items } = await admin.get('events', {
      query: { from: '2025-01-01T12:00:00Z', order: 'oldest', limit: '1' },
    });
    expect(around).toContain(items[0]?.id);
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByText('The newest event is at the top').waitFor();
    expect((await sample())[0]).toBe(all[0]);
    expect(complaints).toEqual([]);
  });
});
