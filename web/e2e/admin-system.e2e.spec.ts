import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from 'playwright-core';
import { routes, type ReactorList, type Verification } from '#contracts';
import { until } from '#kernel/testing';
import { adminAt } from './admin.js';
import { chromiumPath, launch, type Complaints } from './browser.js';
import { doTwice, failed, handled } from './failures.js';
import { lookAt } from './look.js';
import { fund, newPerson, PASSWORD, type Person } from './people.js';
import { startProgram, type Program } from './program.js';
import { said } from './said.js';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

/** How long a change of a file waits for the program, in milliseconds. */
const BUSY_MS = 5_000;

describeInBrowser('an admin and the system', () => {
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: Complaints;
  let backups: string;
  let mary: Person;
  let mei: Person;

  beforeAll(async () => {
    backups = await mkdtemp(join(tmpdir(), 'lode-backups-'));
    [program, browser] = await Promise.all([
      startProgram({ LODE_BACKUPS: backups }),
      launch(chromiumPath ?? ''),
    ]);
    mary = await newPerson(program, ['Mary', 'Okafor'], program.invitation);
    mei = await newPerson(program, ['Mei', 'Tanaka']);
    await fund(mary, mei, '900', 'USDT');
    ({ page, complaints } = await adminAt(browser, program, mary));
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
    await rm(backups, { recursive: true });
  });

  /** Does what a dialog asks again about. */
  const act = (name: string, word: string) =>
    page.getByRole('dialog', { name }).getByRole('button', { name: word, exact: true }).click();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const rebuild = async (model: string) => {
    await press(`Rebuild ${model}`);
    await act(`Rebuild ${model}`, 'Rebuild');
  };
  /** What a page complained of, but for a service that failed. */
  const complained = () => complaints.filter((text) => !text.includes('status of 503'));
  /** Does to a file of the running program what a disk or a hand may do to it. */
  const inFile = (name: string, change: (db: DatabaseSync) => void) => {
    const db = new DatabaseSync(join(program.folder, name), { timeout: BUSY_MS });
    change(db);
    db.close();
  };

  test('sees how read models stand, and builds one anew', async () => {
    await page.goto('/auth/system/projections');
    await page.getByRole('cell', { name: 'in step' }).first().waitFor();
    await lookAt(page, 'admin-projections');
    await press('Rebuild totals');
    const agree = () => act('Rebuild totals', 'Rebuild');
    const [refused, done] = ['totals could not be built anew.', 'totals is being built anew.'];
    await doTwice(page, routes.rebuildModel, agree, refused, done);
    expect(complained()).toEqual([]);
  });

  test('runs the bonus tick, and sees what each job did', async () => {
    await page.goto('/auth/system/jobs');
    await page.getByRole('table', { name: 'Jobs' }).getByText('every 7 h').waitFor();
    await lookAt(page, 'admin-jobs');
    await press('Run now: Bonus tick');
    await page
      .getByRole('dialog')
      .getByLabel(/^Reason/)
      .fill('A look at it');
    await lookAt(page, 'admin-run-tick');
    const run = () => act('Run Bonus tick now', 'Run now');
    await doTwice(
      page,
      routes.runBonusTick,
      run,
      'The job could not be run.',
      /^The bonus tick (runs|will run next)\.$/,
    );
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Accounts' }).click();
    await said(page, 'This run paid nobody: nothing was due.');
    expect(complained()).toEqual([]);
  });

  test('runs another job, and has all tried again that reactors could not do', async () => {
    // Nothing is owed here: the list says that something is, and the rest of it is the service's own.
    const owing = await handled(page.context(), routes.reactors, async (call) => {
      const answer = await call.fetch();
      const { items } = (await answer.json()) as ReactorList;
      await call.fulfill({ response: answer, json: { items: items.map((one) => ({ ...one, owed: 1 })) } });
    });
    await page.goto('/auth/system/jobs');
    await press('Run now: Sweep of files');
    const run = () => act('Run Sweep of files now', 'Run now');
    await doTwice(page, routes.runJob, run, 'The job could not be run.', /^The job (runs|will run next)\.$/);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const [refused, done] = ['It could not be tried again.', 'All that could not be done is tried again.'];
    await doTwice(page, routes.retryReactors, () => press('Retry all'), refused, done);
    await owing();
    expect(complained()).toEqual([]);
  });

  test('has a backup made and everything verified, and sees the engines and settings', async () => {
    await page.goto('/auth/system/engines');
    await page.getByRole('cell', { name: 'LODE_BACKUPS' }).waitFor();
    await said(page, 'There is no backup yet.');
    await press('Back up now');
    await page.getByRole('dialog').waitFor();
    await lookAt(page, 'admin-back-up');
    const backUp = () => act('Back up now', 'Back up now');
    await doTwice(page, routes.makeBackup, backUp, 'The backup could not be begun.', 'The backup has begun.');
    await said(page, 'It was made, and verified.');
    expect(await readdir(backups)).toHaveLength(1);
    const verify = () => press('Verify now');
    await doTwice(page, routes.verify, verify, 'The check could not be begun.', 'Nothing is wrong.');
    await page.getByRole('button', { name: 'Show where' }).click();
    await page
      .getByRole('table', { name: /^Sessions of / })
      .getByText('127.0.0.1')
      .first()
      .waitFor();
    await lookAt(page, 'admin-engines');
    expect(complained()).toEqual([]);
  });

  test.each([
    ['backup', 'Backup', 'backups', 'makeBackup', routes.cancelBackup],
    ['check', 'Verification', 'verification', 'verify', routes.cancelVerification],
  ] as const)('cancels a %s that is under way', async (what, title, shown, begin, cancel) => {
    // Shown as under way until it is canceled: there is little to copy or to look at here.
    const run = {
      begunAt: new Date().toISOString(),
      endedAt: null,
      step: '',
      looked: 0,
      of: null,
      failure: null,
    };
    const lasts = await handled(page.context(), routes[shown], async (call) => {
      const answer = await call.fetch();
      const { run: of, ...known } = (await answer.json()) as Pick<Verification, 'run'>;
      const json = { ...known, run: of?.state === 'canceled' ? of : { ...run, state: 'running', wrong: [] } };
      await call.fulfill({ response: answer, json });
    });
    await page.goto('/auth/system/engines');
    const fails = await handled(page.context(), cancel, (call) => call.fulfill(failed));
    const card = page.getByRole('region', { name: title, exact: true });
    const stop = () => card.getByRole('button', { name: 'Cancel', exact: true }).click();
    await stop();
    await said(page, `The ${what} could not be canceled.`);
    await fails();
    // Another one is begun where the one before was over sooner than it was canceled.
    await until(async () => {
      await mary.get(begin);
      await stop();
      const runOf = async () => (await mary.get(shown)).run;
      await until(async () => typeof (await runOf())?.endedAt === 'string');
      return (await runOf())?.state === 'canceled';
    });
    await card.getByText('Canceled.').waitFor();
    await lasts();
    expect(complained()).toEqual([]);
  });

  test('cancels a rebuild that comes no further, and what was read before is read on', async () => {
    // The first event can't be read: whatever is built anew waits for it.
    const sum = (by: number) =>
      inFile('events.sqlite', (db) =>
        db.exec(`UPDATE events SET checksum = checksum + ${by} WHERE position = 1`),
      );
    const funding = async () => (await mary.get('totals')).funding;
    const before = await funding();
    await page.goto('/auth/system/projections');
    sum(1);
    try {
      await rebuild('totals');
      const progress = page.getByRole('progressbar', { name: 'Rebuild of totals' });
      await progress.waitFor();
      await lookAt(page, 'admin-projections-rebuild');
      await press('Cancel rebuild of totals');
      const dialog = page.getByRole('dialog', { name: 'Cancel the rebuild of totals' });
      await dialog.getByLabel('Type totals to confirm').fill('totals');
      const cancel = () => act('Cancel the rebuild of totals', 'Cancel rebuild');
      const refused = 'The rebuild of totals could not be canceled.';
      await doTwice(page, routes.cancelRebuild, cancel, refused, 'The rebuild of totals was canceled.');
      await progress.waitFor({ state: 'detached' });
      await fund(mary, mei, '100', 'USDT');
      expect(await funding()).not.toEqual(before);
      await page.getByRole('button', { name: 'Rebuild totals' }).waitFor();
    } finally {
      sum(-1);
    }
    expect(complained()).toEqual([]);
  });

  test('replays what a rebuild could not take once it can be read, and discards the rest with a reason', async () => {
    const jonas = { firstname: 'Jonas', lastname: 'Berg', email: 'jonas@example.com', phone: '+49 30 1' };
    const body = { ...jonas, password: PASSWORD, confirmPassword: PASSWORD };
    const { userId } = await mary.get('createAccount', { body });
    // As after a restore from too old a backup: the keys of two people are not there.
    inFile('identity.sqlite', (db) => {
      db.exec('CREATE TABLE kept AS SELECT * FROM person_key');
      db.prepare('DELETE FROM person_key WHERE user_id IN (?, ?)').run(mei.userId, userId);
    });
    await page.goto('/auth/system/projections');
    await rebuild('accounts');
    const list = page.getByRole('list', { name: 'Parked events of accounts' });
    const parkedOf = (id: string) =>
      list.getByRole('listitem').filter({ hasText: `The key of person ${id} is missing` });
    const does = (id: string, what: string) =>
      parkedOf(id)
        .getByRole('button', { name: new RegExp(`^${what} AccountOpened at`) })
        .click();
    await parkedOf(mei.userId).waitFor();
    await does(userId, 'Inspect');
    await lookAt(page, 'admin-projections-parked');
    const replay = () => does(mei.userId, 'Replay');
    const unplayed = 'The events could not be replayed.';
    const still = /^0 replayed, \d+ of account-\S+ still parked\.$/;
    await doTwice(page, routes.replayParked, replay, unplayed, still);
    inFile('identity.sqlite', (db) =>
      db.prepare('INSERT INTO person_key SELECT * FROM kept WHERE user_id = ?').run(mei.userId),
    );
    await does(mei.userId, 'Replay');
    await said(page, /^\d+ events of account-\S+ replayed\.$/);
    await parkedOf(mei.userId).waitFor({ state: 'detached' });
    await does(userId, 'Discard');
    const dialog = page.getByRole('dialog', { name: 'Discard a parked event' });
    await act('Discard a parked event', 'Discard');
    await dialog.getByText('Please give a reason.').waitFor();
    await dialog.getByLabel('Reason').fill('No backup has the key');
    const discard = () => act('Discard a parked event', 'Discard');
    const [refused, done] = ['The event could not be discarded.', 'accounts goes on without the event.'];
    await doTwice(page, routes.discardParked, discard, refused, done);
    await list.getByText(`Discarded: the model goes on without this event of account-${userId}.`).waitFor();
    expect(complained()).toEqual([]);
  });
});
