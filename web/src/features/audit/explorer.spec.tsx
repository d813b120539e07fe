import { expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { auditQuery, type AuditEvent } from '#contracts';
import { adminRoutes, routes } from '../../api';
import ActivityScreen from '../../app/admin/activity';
import Events from '../../app/admin/events';
import SecurityScreen from '../../app/admin/security-events';
import Streams from '../../app/admin/streams';
import TrialBalanceScreen from '../../app/admin/trial-balance';
import { accountOf, clipboard, json, problem, renderApp, serve, to, type Call } from '../../testing';
import { chainAfter } from './chain';
import { STRETCH_PAGE } from './stretch';

const chainStart = '0'.repeat(64);

/** Events of one stream, chained as the log chains them. */
function eventsUpTo(count: number): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  for (let n = 0; n < count; n++) {
    const event: AuditEvent = {
      id: `e${n}`,
      type: n === 0 ? 'AccountOpened' : 'FundingConfirmed',
      version: 1,
      stream: 'account-amara',
      revision: n,
      position: String(9_007_199_254_740_993n + BigInt(n)),
      at: `2026-05-01T08:00:${String(n).padStart(2, '0')}.000Z`,
      data: {
        requestId: '12345678901234567890',
        postings: [
          { account: 'operator/deposits', amount: '-1.10', currency: 'USD' },
          { account: 'customer/amara/available', amount: '1.10', currency: 'USD' },
        ],
      },
      meta: {
        actor: { kind: 'person', id: 'marta', role: 'admin' },
        commandId: `c${n}`,
        causationId: `c${n}`,
        correlationId: `c${n}`,
        requestHash: 'r',
        chain: '',
      },
      actorName: 'Marta Okafor',
      personalData: 'none',
    };
    const previous = events.at(-1)?.meta.chain ?? chainStart;
    events.push({ ...event, meta: { ...event.meta, chain: chainAfter(previous, event) } });
  }
  return events;
}

const FROM = {
  address: '203.0.113.7',
  agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  signedInAt: '2026-05-03T08:00:00.000Z',
};
const events = eventsUpTo(13);
const query = ({ path }: Call) => new URLSearchParams(path.split('?')[1]);
const { status, wallet, balances, totals } = accountOf();
const state = { status, wallet, balances, totals };

/** The service with these events in its log. */
function serveLog(log: readonly AuditEvent[] = events) {
  let known: readonly AuditEvent[] = log.slice(0, 12);
  const calls = serve({
    [to(adminRoutes.events)]: (call) => {
      const asked = query(call);
      const from = Number(asked.get('cursor') ?? 0);
      const limit = Number(asked.get('limit') ?? 10);
      const list = known.toReversed();
      return json({
        items: list.slice(from, from + limit),
        first: from + 1,
        next: from + limit < list.length ? String(from + limit) : null,
        previous: from > 0 ? String(Math.max(0, from - limit)) : null,
      });
    },
    ...Object.fromEntries(
      log.flatMap((event) => [
        [to(adminRoutes.event, { eventId: event.id }), () => json({ ...event, from: FROM })],
        [
          to(adminRoutes.causation, { eventId: event.id }),
          () =>
            json({
              eventId: event.id,
              correlationId: 'c',
              truncated: false,
              events: [
                ...(event === log[0] ? [] : [{ ...log[0], parent: null, depth: 0 }]),
                { ...event, parent: 'e0', depth: 1 },
              ],
            }),
        ],
      ]),
    ),
    [to(adminRoutes.stream, { stream: 'account-amara' })]: (call) => {
      const asked = query(call);
      const last = log.length - 1;
      const isOldest = asked.get('order') === 'oldest';
      const from = Number(asked.get('from') ?? last);
      const limit = Number(asked.get('limit'));
      const page = isOldest
        ? log.slice(from, from + limit)
        : log.slice(Math.max(0, from - limit + 1), from + 1).toReversed();
      return json({
        stream: 'account-amara',
        revision: last,
        events: page,
        next: null,
        previous: null,
        chainVerified: true,
      });
    },
    [to(routes.accountEvents, { userId: 'amara' })]: () =>
      json({
        userId: 'amara',
        revision: 12,
        before: { ...state, wallet: { ...wallet, balance: '1.00' } },
        events: [{ after: { ...state, wallet: { ...wallet, balance: '2.10' } } }],
        next: null,
        previous: null,
        chainVerified: true,
      }),
  });
  return { calls, happen: () => void (known = log) };
}

const asAdmin = (ui: Parameters<typeof renderApp>[0], at: string) => renderApp(ui, { role: 'admin', at });
const rowsShown = () =>
  [...document.querySelectorAll<HTMLElement>('tr[data-event]')].map(({ dataset }) => dataset['event']);

test('events are in pages of ten, newest first, by a filter whose chips can be removed', async () => {
  const { calls } = serveLog();
  const { user, router } = asAdmin(<Events />, '/?type=FundingConfirmed&actor=marta&from=never');
  await screen.findByRole('button', { name: 'Remove filter Actor: marta' });
  await screen.findAllByRole('button', { name: 'FundingConfirmed' });
  expect(rowsShown()).toEqual(
    events
      .slice(2, 12)
      .toReversed()
      .map(({ id }) => id),
  );
  expect(calls.every((call) => query(call).get('from') === null)).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(router.state.location.search).toContain('cursor=10');
  await user.click(screen.getByRole('button', { name: 'Remove filter Actor: marta' }));
  expect(router.state.location.search).toBe('?type=FundingConfirmed&from=never');
  await user.click(screen.getByRole('button', { name: 'Add filter' }));
  await user.selectOptions(screen.getByLabelText('Filter by'), 'Stream');
  await user.type(screen.getByLabelText('Stream'), 'Account_1');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(screen.getByText('Enter the name of a stream, such as settings-global.')).toBeTruthy();
  await user.clear(screen.getByLabelText('Stream'));
  await user.type(screen.getByLabelText('Stream'), 'account-amara{Enter}');
  expect(await screen.findByRole('button', { name: 'Remove filter Stream: account-amara' })).toBeTruthy();
});

test('new events wait behind a button', async () => {
  jest.useFakeTimers();
  const { happen } = serveLog();
  const { user } = asAdmin(<Events />, '/');
  await screen.findAllByRole('button', { name: 'FundingConfirmed' });
  expect(rowsShown()[0]).toBe('e11');
  happen();
  await act(() => jest.advanceTimersByTimeAsync(16_000));
  const fresh = screen.getByRole('button', { name: '1 new' });
  expect(rowsShown()[0]).toBe('e11');
  jest.useRealTimers();
  await user.click(fresh);
  await screen.findByText('9,007,199,254,741,005');
  expect(rowsShown()[0]).toBe('e12');
  expect(screen.queryByRole('button', { name: '1 new' })).toBeNull();
});

test('one of them is shown with its postings, causes, states, text and place in the chain', async () => {
  serveLog();
  const copied = clipboard();
  const { user, router } = asAdmin(<Events />, '/');
  await user.click((await screen.findAllByRole('button', { name: 'FundingConfirmed' }))[0]!);
  expect(router.state.location.search).toBe('?event=e11');
  const beside = await screen.findByRole('complementary', { name: 'FundingConfirmed' });
  expect(within(beside).getByText('203.0.113.7, Firefox on Linux')).toBeTruthy();
  const postings = await within(beside).findByRole('region', { name: 'Postings' });
  expect(postings.textContent).toContain('operator/deposits−1.10USD');
  expect(postings.textContent).toContain('Sum0.00USD');
  const states = await within(beside).findByRole('row', { name: 'Wallet, USD 1.00 2.10' });
  expect(states).toBeTruthy();
  expect((await within(beside).findByText(/follows revision 10/)).textContent).not.toContain('not');
  const json = within(beside).getByLabelText('JSON of the event').textContent ?? '';
  expect(json).toContain('"requestId": "12345678901234567890"');
  expect(json).toContain('"amount": "-1.10"');
  await user.click(within(beside).getByRole('button', { name: 'Copy Position' }));
  expect(copied.at(-1)).toBe('9007199254741004');
  await user.click(await within(beside).findByRole('button', { name: 'AccountOpened' }));
  expect(router.state.location.search).toBe('?event=e0');
  expect((await screen.findByText(/begins the stream/)).textContent).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(router.state.location.search).toBe('');
});

test('columns are chosen, and are in the address', async () => {
  serveLog();
  const { user, router } = asAdmin(<Events />, '/');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Version' }));
  expect(router.state.location.search).toContain('version');
  expect(screen.getByRole('columnheader', { name: 'Version' })).toBeTruthy();
});

test('what could not be loaded is asked for again', async () => {
  const answers = [() => problem(503, 'unavailable', 'Later.'), () => problem(503, 'unavailable', 'Later.')];
  const page = { items: [], first: 1, next: null, previous: null };
  serve({ [to(adminRoutes.events)]: () => (answers.shift() ?? (() => json(page)))() });
  const { user } = asAdmin(<Events />, '/');
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No logs available.')).toBeTruthy();
});

test('one list begins with the page that was shown, and asks for what follows it alone', async () => {
  const { calls } = serveLog();
  const { user, router } = asAdmin(<Events />, '/');
  await waitFor(() => expect(rowsShown()).toHaveLength(10));
  await user.click(screen.getByRole('radio', { name: 'All in one list' }));
  await waitFor(() => expect(rowsShown().slice(0, 4)).toEqual(['e11', 'e10', 'e9', 'e8']));
  const ofList = () => calls.map(query).filter((asked) => asked.get('limit') === String(STRETCH_PAGE));
  await waitFor(() => expect(ofList().map((asked) => asked.get('cursor'))).toEqual(['10']));
  // Another filter is another list.
  await act(() => router.navigate('/?view=all&type=AccountOpened'));
  await waitFor(() =>
    expect(ofList()[1]?.toString()).toBe(`type=AccountOpened&order=newest&limit=${STRETCH_PAGE}`),
  );
});

test('a stream is read with its chain worked out, and a break is said', async () => {
  const changed = events.map((event, n) => (n === 9 ? { ...event, at: '2026-05-01T08:00:09.001Z' } : event));
  serveLog(changed);
  const { user } = asAdmin(<Streams />, '/?stream=account-amara');
  await screen.findByText(/^follows revision 11/);
  expect(rowsShown()).toHaveLength(10);
  expect(screen.getByText(/does not follow revision 8/)).toBeTruthy();
  expect(screen.getByText(/The chain is broken at revision 9\./)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByText(/begins the stream/);
  expect(rowsShown()).toEqual(['e2', 'e1', 'e0']);
  expect(screen.getByText(/These 3 events were/)).toBeTruthy();
});

test('the trial balance ends in zero, as of any moment, and shows what is behind a figure', async () => {
  const nothing = { USD: '0.00', BTC: '0.00000000', PI: '0.00000000', USDT: '0.000000' };
  const line = (account: string, side: string, USD: string) => ({
    account,
    side,
    amounts: { ...nothing, USD },
  });
  const balance = {
    position: '12',
    lines: [line('customersAvailable', 'customers', '13.20'), line('deposits', 'operator', '-13.20')],
    liabilities: { ...nothing, USD: '13.20' },
    sum: nothing,
    balanced: true,
  };
  const calls = serve({
    [to(adminRoutes.trialBalance)]: () => json(balance),
    [to(adminRoutes.verification)]: () => json({ run: null }),
    [to(adminRoutes.trialPostings)]: () =>
      json({
        account: 'deposits',
        currency: 'USD',
        position: '12',
        first: 1,
        next: null,
        previous: null,
        items: [
          {
            event: events[11],
            amount: '-13.20',
            postings: [{ account: 'operator/deposits', currency: 'USD', amount: '-13.20' }],
          },
        ],
      }),
  });
  const { user, router } = asAdmin(<TrialBalanceScreen />, '/?position=12');
  const sum = await screen.findByRole('row', { name: /^Sum of all lines/ });
  expect(within(sum).getAllByRole('cell')[0]?.textContent).toContain('0.00');
  await user.click(screen.getByRole('button', { name: 'Postings behind Deposits, −13.20 USD' }));
  expect(router.state.location.search).toBe('?position=12&cell=deposits-USD');
  expect(await screen.findByText('operator/deposits')).toBeTruthy();
  const asked = calls.findLast(({ path }) => path.includes('postings'));
  expect(query(asked!).toString()).toBe('account=deposits&currency=USD&position=12');
  await user.click(screen.getByRole('button', { name: 'Now' }));
  expect(router.state.location.search).toBe('?cell=deposits-USD');
});

test.each([
  ['activity', ActivityScreen],
  ['security events', SecurityScreen],
])('what the page of %s asks for is what the service takes', async (_what, Screen) => {
  const { calls } = serveLog();
  asAdmin(<Screen />, '/');
  await waitFor(() => expect(calls.some(({ name }) => name === to(adminRoutes.events))).toBe(true));
  const asked = calls.filter(({ name }) => name === to(adminRoutes.events));
  for (const call of asked) {
    const taken = auditQuery.safeParse(Object.fromEntries(query(call)));
    expect([taken.error, taken.data?.types?.split(',').length]).toEqual([undefined, expect.any(Number)]);
  }
});
