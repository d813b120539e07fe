import { describe, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { Backups, ChoreView, ReadModelList } from '#contracts';
import { adminRoutes } from '../../api';
import Engines from '../../app/admin/engines';
import Jobs from '../../app/admin/jobs';
import Projections from '../../app/admin/projections';
import { json, problem, queryOf, renderApp, serve, settingsOf, to } from '../../testing';
import { formatSeconds } from './duration';
import { stepsOf } from './sparkline';
import { longer } from './trend';

type Model = ReadModelList['models'][number];
const current: Model = {
  name: 'accounts',
  version: 7,
  position: '18209',
  state: 'current',
  secondsBehind: 0,
  advancedAt: '2026-05-01T08:00:00.000Z',
  eventsBehind: 0,
  parked: 0,
  discarded: 0,
  rebuild: null,
};
const stalled: Model = {
  ...current,
  name: 'transfers',
  state: 'stalled',
  secondsBehind: 2469,
  eventsBehind: 3,
  parked: 1,
};
const building: Model = {
  ...current,
  name: 'totals',
  state: 'rebuilding',
  rebuild: { events: 11_842, of: 18_209, secondsLeft: 120, halted: false },
};
const parked = {
  eventId: '3c445fe8-7d90-59e7-ba70-c239497890be',
  position: '18198',
  stream: 'account-b240',
  revision: 4,
  type: 'TransferReceived',
  state: 'parked',
  attempts: 5,
  error: 'narration: expected text, got nothing',
  event: null,
};
const of = { model: 'transfers' };

function serveModels(others: Parameters<typeof serve>[0] = {}) {
  return serve({
    [to(adminRoutes.projections)]: () =>
      json({ head: '18209', headSecondsBehind: 0, models: [current, building, stalled] }),
    [to(adminRoutes.parkedEvents, of)]: () => json({ model: 'transfers', items: [parked], next: null }),
    [to(adminRoutes.replayParked, of)]: () => json({ model: 'transfers', replayed: 2, left: 0 }),
    [to(adminRoutes.discardParked, of)]: () =>
      json({ model: 'transfers', discarded: true, replayed: 1, left: 0 }),
    [to(adminRoutes.rebuildModel, { model: 'accounts' })]: () =>
      json({ model: 'accounts', state: 'rebuilding' }),
    [to(adminRoutes.cancelRebuild, { model: 'totals' })]: () => json({ model: 'totals', cancelled: true }),
    ...others,
  });
}
const asAdmin = (ui: Parameters<typeof renderApp>[0], at = '/') => renderApp(ui, { role: 'admin', at });

describe('the page of projections', () => {
  test('has what needs somebody first, and how each is in a word', async () => {
    serveModels();
    asAdmin(<Projections />);
    const table = await screen.findByRole('table', { name: 'Read models' });
    await within(table).findByText('stalled');
    const names = [...table.querySelectorAll('tbody tr td:first-child')].map(
      ({ textContent }) => textContent,
    );
    expect(names[0]).toBe('transfers v7');
    expect(within(table).getByText('in step')).toBeTruthy();
    expect(within(table).getByText('in step, building')).toBeTruthy();
    const progress = within(table).getByRole('progressbar', { name: 'Rebuild of totals' });
    expect(progress.parentElement?.textContent).toContain('11,842 of 18,209 events, about 2 min left.');
  });

  test('replays a parked event, and discards one with a reason', async () => {
    const calls = serveModels();
    const { user } = asAdmin(<Projections />);
    await user.click(await screen.findByRole('button', { name: 'Replay TransferReceived at 18198' }));
    await screen.findByText('2 events of account-b240 replayed.');
    await user.click(screen.getByRole('button', { name: 'Discard TransferReceived at 18198' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Discard' }));
    expect(await within(dialog).findByText('Please give a reason.')).toBeTruthy();
    await user.type(within(dialog).getByLabelText('Reason'), 'It can never be read.');
    await user.click(within(dialog).getByRole('button', { name: 'Discard' }));
    await screen.findByText('transfers goes on without the event.');
    const sent = calls.find(({ path }) => path.endsWith('/discard'));
    expect(sent?.body).toEqual({ eventId: parked.eventId, reason: 'It can never be read.' });
  });

  test('says what is left parked behind a discarded event, and that one was not parked any more', async () => {
    const answers = [
      { discarded: true, replayed: 0, left: 3 },
      { discarded: false, replayed: 0, left: 0 },
    ];
    serveModels({
      [to(adminRoutes.discardParked, of)]: () => json({ model: 'transfers', ...answers.shift() }),
    });
    const { user } = asAdmin(<Projections />);
    for (const said of [
      'transfers goes on without the event. 3 of account-b240 still parked.',
      'The event is not parked any more.',
    ]) {
      await user.click(await screen.findByRole('button', { name: 'Discard TransferReceived at 18198' }));
      const dialog = await screen.findByRole('dialog');
      await user.type(within(dialog).getByLabelText('Reason'), 'It can never be read.');
      await user.click(within(dialog).getByRole('button', { name: 'Discard' }));
      await screen.findByText(said);
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    }
  });

  test('says that there was no rebuild left to cancel', async () => {
    const params = { model: 'totals' };
    serveModels({
      [to(adminRoutes.cancelRebuild, params)]: () => json({ ...params, cancelled: false }),
    });
    const { user } = asAdmin(<Projections />);
    await user.click(await screen.findByRole('button', { name: 'Cancel rebuild of totals' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByRole('button', { name: 'Keep building' })).toBeTruthy();
    await user.type(within(dialog).getByLabelText('Type totals to confirm'), 'totals');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel rebuild' }));
    await screen.findByText('No rebuild of totals is under way any more.');
  });

  test('builds one anew, and cancels a rebuild once its name was typed', async () => {
    const calls = serveModels();
    const { user } = asAdmin(<Projections />);
    await user.click(await screen.findByRole('button', { name: 'Rebuild accounts' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rebuild' }));
    await screen.findByText('accounts is being built anew.');
    await user.click(screen.getByRole('button', { name: 'Cancel rebuild of totals' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel the rebuild of totals' });
    const cancel = within(dialog).getByRole('button', { name: 'Cancel rebuild' });
    expect(cancel).toHaveProperty('disabled', true);
    await user.type(within(dialog).getByLabelText('Type totals to confirm'), 'totals');
    await user.click(cancel);
    await screen.findByText('The rebuild of totals was canceled.');
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  test('says so when it can not be loaded', async () => {
    serve({ [to(adminRoutes.projections)]: () => problem(503, 'unavailable', 'The service is away.') });
    asAdmin(<Projections />);
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});

const SLOT = '2026-05-01T07:00:00.000Z';
const run = {
  id: `bonus-tick/${SLOT}`,
  slot: SLOT,
  cause: 'schedule',
  state: 'done',
  attempts: 1,
  startedAt: SLOT,
  endedAt: '2026-05-01T07:00:02.000Z',
  report: { due: 14, accrued: 2 },
  error: null,
};

function serveJobs(preview?: () => Response) {
  const failed = { ...run, id: 'mail/1', state: 'failed', report: null, error: 'The server is away.' };
  return serve({
    [to(adminRoutes.jobs)]: () =>
      json({
        items: [
          { kind: 'bonus-tick', everySeconds: 25_200, nextAt: '2026-05-01T14:00:00.000Z', runs: [run] },
          { kind: 'mail', everySeconds: 60, nextAt: '2026-05-01T07:01:00.000Z', runs: [failed] },
        ],
      }),
    [to(adminRoutes.reactors)]: () =>
      json({
        items: [
          {
            name: 'transfers',
            position: '12',
            state: 'current',
            secondsBehind: 0,
            owed: 1,
            parked: [],
            failing: null,
          },
        ],
      }),
    [to(adminRoutes.retryReactors)]: () => json({ items: [] }),
    [to(adminRoutes.stalledTransfers)]: () => json({ afterSeconds: 60, items: [] }),
    [to(adminRoutes.runBonusTick)]: () => json({ run, message: 'The bonus tick runs.' }),
    [to(adminRoutes.bonusPreview)]: () =>
      preview?.() ??
      json({
        items: [],
        first: 1,
        next: null,
        previous: null,
        at: SLOT,
        policy: settingsOf().bonusPolicy,
        sum: { accounts: 2, days: 3, amount: '34.80', converted: '34.800000', refused: 0, isWhole: true },
      }),
    [to(adminRoutes.runJob, { job: 'mail' })]: () => problem(503, 'overloaded', 'Too many wait.'),
    [to(adminRoutes.tickResults, { slot: SLOT })]: () =>
      json({
        items: [
          {
            userId: 'amara',
            name: 'Amara Nwosu',
            eventId: 'e1',
            position: '9',
            at: SLOT,
            days: 1,
            bonusDays: 3,
            amount: '34.80',
            currency: 'USDT',
            converted: '34.800000',
          },
        ],
        first: 1,
        next: null,
        previous: null,
      }),
  });
}

describe('the page of jobs', () => {
  test('has each job with its runs, and what a tick paid, account by account', async () => {
    serveJobs();
    const { user } = asAdmin(<Jobs />);
    await screen.findByText(/14 due, 2 accrued/);
    expect(screen.getAllByText(/The server is away\./).length).toBeGreaterThan(0);
    expect(await screen.findByText('No transfer stands still.')).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Accounts' }));
    expect(await screen.findByText('Amara Nwosu')).toBeTruthy();
  });

  test('runs the bonus tick, and says when a job could not be run', async () => {
    const calls = serveJobs();
    const { user } = asAdmin(<Jobs />);
    await user.click(await screen.findByRole('button', { name: 'Run now: Bonus tick' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('34.80 USD')).toBeTruthy();
    expect(dialog.getByRole('status').textContent).toContain('to 2 accounts for 3 days');
    await user.click(dialog.getByRole('button', { name: 'Run now' }));
    expect(await dialog.findByText('Please give a reason.')).toBeTruthy();
    await user.type(dialog.getByLabelText('Reason'), 'The last run failed');
    await user.click(dialog.getByRole('button', { name: 'Run now' }));
    await screen.findByText('The bonus tick runs.');
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'The last run failed' });
    expect(calls.some((call) => queryOf(call).get('when') === 'now')).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Run now: Mail outbox' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run now' }));
    await waitFor(() => expect(screen.getByRole('dialog')).toBeTruthy());
  });

  test('runs the bonus tick also where it can not be told what that would pay', async () => {
    const calls = serveJobs(() => problem(503, 'unavailable', 'Accounts are being made anew.'));
    const { user } = asAdmin(<Jobs />);
    await user.click(await screen.findByRole('button', { name: 'Run now: Bonus tick' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('Accounts are being made anew.')).toBeTruthy();
    await user.type(dialog.getByLabelText('Reason'), 'The last run failed');
    await user.click(dialog.getByRole('button', { name: 'Run now' }));
    await screen.findByText('The bonus tick runs.');
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('has all tried again that reactors could not do', async () => {
    const calls = serveJobs();
    const { user } = asAdmin(<Jobs />);
    await screen.findByText('1 to be tried again');
    await user.click(screen.getByRole('button', { name: 'Retry all' }));
    await screen.findByText('All that could not be done is tried again.');
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

const unset: Backups = { way: 'unset', folder: null, last: null, run: null };
const chore: ChoreView = {
  state: 'running',
  begunAt: '2026-05-01T08:00:00.000Z',
  endedAt: null,
  step: 'Checking the log',
  looked: 12_000,
  of: 18_209,
  wrong: [],
  failure: null,
};
const endedAt = '2026-05-01T08:01:00.000Z';
const serveSystem = (backups: Backups, run: ChoreView | null, more = {}) =>
  serve({
    [to(adminRoutes.systemEngines)]: () => problem(503, 'unavailable', 'Later.'),
    [to(adminRoutes.systemSettings)]: () => problem(503, 'unavailable', 'Later.'),
    [to(adminRoutes.backups)]: () => json(backups),
    [to(adminRoutes.verification)]: () => json({ run }),
    ...more,
  });

describe('the backup', () => {
  const last = {
    name: '2026-05-01T02-30-00.000Z',
    madeAt: '2026-05-01T02:30:00.000Z',
    events: 18_163,
    bytes: 412_000_000,
  };
  const inFolder: Backups = { way: 'folder', folder: '/mnt/backups', last, run: null };

  test('is told with its age, and made after it was said what it has', async () => {
    const calls = serveSystem(inFolder, null, { [to(adminRoutes.makeBackup)]: () => json(inFolder) });
    const { user } = asAdmin(<Engines />);
    const card = await screen.findByRole('region', { name: 'Backup' });
    expect(await within(card).findByText('18,163')).toBeTruthy();
    expect(within(card).getByText('412.0 MB')).toBeTruthy();
    await user.click(within(card).getByRole('button', { name: 'Back up now' }));
    const dialog = await screen.findByRole('dialog', { name: 'Back up now' });
    expect(within(dialog).getByText('/mnt/backups')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Back up now' }));
    await screen.findByText('The backup has begun.');
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('is waited for while it is made', async () => {
    serveSystem(
      { ...inFolder, last: null, run: { ...chore, step: 'Copying files', looked: 3, of: null } },
      null,
    );
    asAdmin(<Engines />);
    const card = await screen.findByRole('region', { name: 'Backup' });
    expect(await within(card).findByRole('progressbar', { name: 'Backup' })).toBeTruthy();
    expect(within(card).getByRole('button', { name: 'Please wait' })).toHaveProperty('disabled', true);
    expect(within(card).getByText('There is no backup yet.')).toBeTruthy();
  });

  test.each([
    ['canceled', () => json({ cancelled: true }), undefined],
    ['not canceled', () => problem(503, 'unavailable', 'Try again.'), /Try again|could not be canceled/],
  ] as const)('is %s', async (_what, answer, told) => {
    const run = { ...chore, step: 'Copying files', looked: 3, of: null };
    const calls = serveSystem({ ...inFolder, run }, null, { [to(adminRoutes.cancelBackup)]: answer });
    const { user } = asAdmin(<Engines />);
    const card = await screen.findByRole('region', { name: 'Backup' });
    await user.click(await within(card).findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
    if (told !== undefined) expect(await screen.findByText(told)).toBeTruthy();
  });

  test('says why it came to nothing', async () => {
    const failure = 'There is no room to store this.';
    serveSystem({ ...inFolder, run: { ...chore, state: 'failed', endedAt, failure } }, null);
    asAdmin(<Engines />);
    expect(await screen.findByText('It failed.')).toBeTruthy();
    expect(screen.getByText(failure)).toBeTruthy();
  });

  test.each<[Backups['way'], RegExp]>([
    ['unset', /No folder is named that backups go to/],
    ['servers', /What is on servers is backed up there/],
  ])('is not offered where the program makes none: %s', async (way, words) => {
    serveSystem({ ...unset, way }, null);
    asAdmin(<Engines />);
    const card = await screen.findByRole('region', { name: 'Backup' });
    expect(await within(card).findByText(words)).toBeTruthy();
    expect(within(card).queryByRole('button')).toBeNull();
  });
});

describe('the verification', () => {
  const cardOf = () => screen.findByRole('region', { name: 'Verification' });

  test('is begun', async () => {
    const calls = serveSystem(unset, null, { [to(adminRoutes.verify)]: () => json({ run: chore }) });
    const { user } = asAdmin(<Engines />);
    await within(await cardOf()).findByText(/^Nobody has had it verified/);
    await user.click(within(await cardOf()).getByRole('button', { name: 'Verify now' }));
    await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1));
  });

  test('shows how far it is, and can be canceled', async () => {
    const calls = serveSystem(unset, chore, {
      [to(adminRoutes.cancelVerification)]: () => json({ cancelled: true }),
    });
    const { user } = asAdmin(<Engines />);
    const bar = await within(await cardOf()).findByRole('progressbar', { name: 'Verification' });
    expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['12000', '18209']);
    expect(screen.getByText('12,000 of 18,209')).toBeTruthy();
    await user.click(within(await cardOf()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
  });

  test('is asked for often only while it is under way, as backups are', async () => {
    const state: { run: ChoreView | null } = { run: null };
    const calls = serveSystem(unset, null, {
      [to(adminRoutes.verification)]: () => json(state),
      [to(adminRoutes.backups)]: () => json({ ...unset, ...state }),
    });
    const asked = () => calls.filter(({ path }) => /backups$|verification$/.test(path)).length;
    jest.useFakeTimers();
    try {
      asAdmin(<Engines />);
      await act(() => jest.advanceTimersByTimeAsync(4_900));
      expect(asked()).toBe(2);
      state.run = chore;
      await act(() => jest.advanceTimersByTimeAsync(2_000));
      expect(asked()).toBe(4);
      await act(() => jest.advanceTimersByTimeAsync(4_500));
      expect(asked()).toBe(10);
    } finally {
      jest.useRealTimers();
    }
  });

  test('says that nothing is wrong', async () => {
    serveSystem(unset, { ...chore, state: 'done', endedAt });
    asAdmin(<Engines />);
    expect(await within(await cardOf()).findByText('Nothing is wrong.')).toBeTruthy();
  });

  test('names what is wrong, the first at once', async () => {
    const wrong = Array.from({ length: 7 }, (_, at) => `position ${at + 1}: it is not what was written`);
    serveSystem(unset, { ...chore, state: 'done', endedAt, wrong });
    const { user } = asAdmin(<Engines />);
    expect(await within(await cardOf()).findByText('7 faults were found.')).toBeTruthy();
    await user.click(screen.getByText('2 more'));
    expect(within(await cardOf()).getAllByRole('listitem')).toHaveLength(7);
  });

  test('is told as not begun where it is refused', async () => {
    serveSystem(unset, null, {
      [to(adminRoutes.verify)]: () => problem(403, 'duty_missing', 'Only owners may.'),
    });
    const { user } = asAdmin(<Engines />);
    await user.click(await within(await cardOf()).findByRole('button', { name: 'Verify now' }));
    expect(await screen.findByText('Only owners may.')).toBeTruthy();
  });
});

test('the page of engines says which answer, and where each setting comes from', async () => {
  const where = { kind: 'embedded', address: null } as const;
  serve({
    [to(adminRoutes.systemEngines)]: () =>
      json({
        items: [
          { part: 'log', ...where, answersInMs: 0.4, failure: null },
          {
            part: 'identity',
            kind: 'server',
            address: 'mongodb://db',
            answersInMs: null,
            failure: 'It is away.',
          },
        ],
        clock: {
          accepted: true,
          clock: '2026-05-01T08:00:00.000Z',
          known: '2026-05-01T08:00:00.000Z',
          lastEventAt: '2026-05-01T07:59:00.000Z',
        },
      }),
    [to(adminRoutes.systemSettings)]: () =>
      json({
        version: '0.1.0',
        items: [{ name: 'LODE_METRICS_TOKEN', value: 'set', source: 'environment' }],
      }),
    [to(adminRoutes.backups)]: () => json(unset),
    [to(adminRoutes.verification)]: () => json({ run: null }),
  });
  asAdmin(<Engines />);
  expect(await screen.findByText('0.4 ms')).toBeTruthy();
  expect(screen.getByText('away: It is away.')).toBeTruthy();
  expect(screen.getByText('The clock is accepted.')).toBeTruthy();
  const row = (await screen.findByText('LODE_METRICS_TOKEN')).closest('tr');
  expect(row?.textContent).toBe('LODE_METRICS_TOKENsetenvironment');
});

test('lengths of time are told in their largest unit', () => {
  expect([4, 2469, 25_200, 200_000].map(formatSeconds)).toEqual(['4 s', '41 min', '7 h', '2 d']);
});

test('a trend is as long as the page is open, and a line of steps', () => {
  const trend = longer(longer({}, [stalled]), [{ ...stalled, secondsBehind: 0 }]);
  expect(trend).toEqual({ transfers: [2469, 0] });
  expect(stepsOf([2, 0])).toBe('M2 2H82V16');
});
