import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Statement } from '#contracts';
import { routes } from '../../api';
import StatementScreen from '../../app/wallet/statement';
import { formatTime, setDisplay } from '../../lib';
import { accountOf, clipboard, json, problem, renderApp, serve, to } from '../../testing';
import { presetsAt, viewOf } from './period';

const of = { userId: 'amara' };
const parts = (balance: string, held = '0.00') => ({ balance, held, available: balance });
const statementOf = (changes: Partial<Statement> = {}): Statement => ({
  userId: 'amara',
  currency: 'USD',
  from: '2026-03-01',
  to: '2026-03-31',
  zone: 'Europe/Berlin',
  begins: '2026-02-28T23:00:00.000Z',
  ends: '2026-03-31T22:00:00.000Z',
  opening: parts('1200.00'),
  closing: parts('1150.00', '25.00'),
  change: '-50.00',
  revision: 9,
  position: '41207',
  entries: [
    {
      eventId: 'a',
      type: 'WalletDebited',
      description: 'Debited by an admin',
      revision: 8,
      at: '2026-03-29T22:30:00.000Z',
      change: '-50.00',
      heldChange: '0.00',
      after: parts('1150.00'),
      reason: 'Paid twice.',
    },
    {
      eventId: 'b',
      type: 'WithdrawalRequested',
      description: 'Withdrawal requested: set aside',
      revision: 9,
      at: '2026-03-30T12:00:00.000Z',
      change: '0.00',
      heldChange: '25.00',
      after: parts('1150.00', '25.00'),
      requestId: 'R'.repeat(34),
    },
  ],
  first: 1,
  next: null,
  previous: null,
  ...changes,
});
const MARCH = '/auth/statement/dashboard?from=2026-03-01&to=2026-03-31&zone=Europe/Berlin';

function shown(statement: () => Response, at = MARCH) {
  const calls = serve({
    [to(routes.account, of)]: () => json(accountOf()),
    [to(routes.statement, of)]: statement,
  });
  return { calls, ...renderApp(<StatementScreen />, { at }) };
}

test('tells a period of a balance in its time zone, and where in the log it is true', async () => {
  const { calls, user } = shown(() => json(statementOf()));
  const sheet = await screen.findByRole('article', { name: 'USD statement' });
  expect(await within(sheet).findByText('1,200.00 USD')).toBeTruthy();
  for (const text of [
    '−50.00 USD',
    '1,150.00 USD',
    '25.00 of it on hold',
    '2026-03-30 00:30',
    '“Paid twice.”',
  ])
    expect(within(sheet).getByText(text)).toBeTruthy();
  const where = within(sheet).getByText(/^True at position/);
  expect(where.textContent).toContain('True at position 41,207 of the log.');
  expect(where.textContent).toContain('2026-04-01 00:00, Europe/Berlin');
  const copied = clipboard();
  await user.click(within(where).getByRole('button', { name: 'Copy Position' }));
  expect(copied.at(-1)).toBe('41207');
  await user.click(within(sheet).getByRole('button', { name: 'Copy Request id' }));
  expect(copied.at(-1)).toBe('R'.repeat(34));
  expect(calls.find(({ name }) => name === to(routes.statement, of))?.path).toContain(
    'from=2026-03-01&to=2026-03-31&zone=Europe%2FBerlin&currency=USD&limit=100',
  );
});

test('another choice is another address, from its first page', async () => {
  const { user, router, calls } = shown(() => json(statementOf({ next: 'more' })));
  await user.click(await screen.findByRole('button', { name: 'Next' }));
  expect(router.state.location.search).toContain('cursor=more');
  await user.click(screen.getByRole('radio', { name: 'BTC' }));
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-15' } });
  await screen.findByText(/This page shows a part of it/);
  const { search } = router.state.location;
  expect([
    search.includes('cursor'),
    search.includes('currency=BTC'),
    search.includes('from=2026-03-15'),
  ]).toEqual([false, true, true]);
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-03-01' } });
  expect(await screen.findByText('A period can’t end before it begins.')).toBeTruthy();
  expect(calls.some(({ path }) => path.includes('to=2026-03-01'))).toBe(false);
});

test('says when it could not be loaded, and when nothing moved', async () => {
  const answers = [() => problem(503, 'unavailable', 'Later.')];
  const empty = () => json(statementOf({ entries: [], revision: null }));
  const { user } = shown(() => (answers.shift() ?? empty)());
  expect((await screen.findByRole('alert')).textContent).toContain('Later.');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No logs available.')).toBeTruthy();
});

test('is not shown without the name of its owner, who is asked for again', async () => {
  let works = false;
  serve({
    [to(routes.account, of)]: () => (works ? json(accountOf()) : problem(503, 'unavailable', 'Later.')),
    [to(routes.statement, of)]: () => json(statementOf()),
  });
  const { user } = renderApp(<StatementScreen />, { at: MARCH });
  const retry = await screen.findByRole('button', { name: 'Retry' });
  const sheet = screen.getByRole('article', { name: 'USD statement' });
  expect(sheet.querySelector('.skeleton')).toBeNull();
  expect(within(sheet).queryByText('1,200.00 USD')).toBeNull();
  works = true;
  await user.click(retry);
  expect(await within(sheet).findByText('Amara Nwosu, account 3071884215')).toBeTruthy();
  expect(within(sheet).getByText('1,200.00 USD')).toBeTruthy();
});

test('is taken away as CSV, or says why not', async () => {
  const refused = problem(429, 'rate_limited', 'Too many files at once.');
  const answers = [() => new Response('at,change\r\n'), () => refused];
  const { calls, user } = shown(() => json(statementOf()));
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) =>
    new Headers(init?.headers).get('accept') === 'text/csv'
      ? Promise.resolve((answers.shift() ?? (() => refused))())
      : fetch(input, init);
  URL.createObjectURL = () => 'blob:statement';
  URL.revokeObjectURL = () => undefined;
  const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const csv = await screen.findByRole('button', { name: 'CSV' });
  await screen.findByText('1,200.00 USD');
  await user.click(csv);
  const [link] = clicked.mock.contexts as HTMLAnchorElement[];
  expect([link?.download, link?.href]).toEqual(['statement-USD-2026-03-01-2026-03-31.csv', 'blob:statement']);
  await user.click(csv);
  expect(await screen.findByText('Too many files at once.')).toBeTruthy();
  expect(clicked).toHaveBeenCalledTimes(1);
  expect(calls.length).toBeGreaterThan(0);
  clicked.mockRestore();
});

describe('on paper', () => {
  const [lineA, lineB] = statementOf().entries;
  /** The period in pages, by the cursors that lead to them; what happens while they come is on the last one. */
  const pages: Readonly<Record<string, Partial<Statement>>> = {
    '': { next: 'second', entries: [lineA!] },
    second: { next: 'third', previous: '', first: 2, entries: [] },
    third: { previous: 'second', first: 2, entries: [lineB!], closing: parts('1150.00'), position: '41300' },
  };
  const cursorOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('cursor') ?? '';
  const paged = (answer: (cursor: string) => Response | Promise<Response>, at = MARCH) => {
    const calls = serve({
      [to(routes.account, of)]: () => json(accountOf()),
      [to(routes.statement, of)]: ({ path }) => answer(cursorOf(path)),
    });
    const asked = () =>
      calls.filter(({ name }) => name === to(routes.statement, of)).map(({ path }) => cursorOf(path));
    return { asked, ...renderApp(<StatementScreen />, { at }) };
  };
  const page = (cursor: string) => json(statementOf(pages[cursor]));
  /** What stood on the paper each time that the browser was asked to print. */
  const printed: string[] = [];
  window.print = () => {
    const sheet = screen.getByRole('article');
    expect(sheet.dataset['paper']).toBe('true');
    printed.push(sheet.lastElementChild?.textContent ?? '');
  };
  afterEach(() => void printed.splice(0));
  const press = async (user: ReturnType<typeof paged>['user']) => {
    await screen.findByText('Amara Nwosu, account 3071884215');
    await user.click(await screen.findByRole('button', { name: 'Print' }));
  };

  test('the whole period stands, also from a page in its middle, with where in the log that is true', async () => {
    const { user, asked } = paged(page, `${MARCH}&cursor=third`);
    await press(user);
    await waitFor(() => expect(printed).toHaveLength(1));
    expect(asked()).toEqual(['third', '', 'second', 'third']);
    for (const text of [
      'Opening balance1,200.00 USD',
      'Closing balance1,150.00 USD',
      'Debited by an admin',
      'Withdrawal requested: set aside',
      'Rows 1–2, oldest first',
      'True at position 41,300 of the log',
      '2026-04-01 00:00, Europe/Berlin',
    ])
      expect(printed[0]).toContain(text);
    expect(printed[0]).not.toContain('a part of it');
    act(() => void window.dispatchEvent(new Event('afterprint')));
    expect(screen.getByRole('article').dataset['paper']).toBe('false');
    expect(screen.getAllByRole('table')).toHaveLength(1);
  });

  test('what the screen shows whole is printed as it is', async () => {
    const { user, asked } = paged(() => json(statementOf()));
    await press(user);
    await waitFor(() => expect(printed).toHaveLength(1));
    expect(asked()).toEqual(['']);
  });

  test.each(['', 'third'])('nothing is printed when page %j is away, until it is there', async (away) => {
    let works = true;
    const { user } = paged((cursor) =>
      cursor === away && !works ? problem(503, 'unavailable', 'Later.') : page(cursor),
    );
    await screen.findByText('This page shows a part of it', { exact: false });
    works = false;
    await press(user);
    const said = await screen.findByText(/^Not printed: a part of this period could not be loaded/);
    expect(said.closest('[role=alert]')?.textContent).toContain('Later.');
    expect(printed).toEqual([]);
    // What is on screen stays.
    expect(screen.getAllByText('1,200.00 USD')).toHaveLength(1);
    works = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(printed).toHaveLength(1));
    expect(screen.queryByText(/^Not printed/)).toBeNull();
  });

  test('a period of more lines than anybody prints is told to be one, and where to have it', async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ ...lineA!, eventId: `e${n}` }));
    const { user, asked } = paged((cursor) =>
      json(statementOf({ entries: many, previous: '', next: String(Number(cursor) + 1) })),
    );
    await press(user);
    const said = await screen.findByText(/more than 2,000 lines/);
    expect(said.closest('[role=alert]')?.textContent).toContain('take the CSV');
    expect(printed).toEqual([]);
    // The page on screen, and as many as it takes to know.
    expect(asked()).toHaveLength(1 + 21);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(/more than 2,000 lines/)).toBeNull();
  });

  test.each([
    [
      'Cancel',
      (user: ReturnType<typeof paged>['user']) => user.click(screen.getByRole('button', { name: 'Cancel' })),
    ],
    [
      'another period',
      (user: ReturnType<typeof paged>['user']) => user.click(screen.getByRole('radio', { name: 'BTC' })),
    ],
  ])('%s gives it up', async (_, giveUp) => {
    let answer = (_: Response) => undefined as void;
    const { user, asked } = paged((cursor) =>
      cursor === 'second' ? new Promise<Response>((resolve) => (answer = resolve)) : page(cursor),
    );
    await press(user);
    expect(await screen.findByText('Loading all lines to print them: 1 so far.')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Please wait' }).disabled).toBe(true);
    await giveUp(user);
    expect(screen.queryByText(/^Loading all lines/)).toBeNull();
    await act(async () => {
      answer(page('second'));
      await Promise.resolve();
    });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Print' })).toBeTruthy());
    expect(asked()).not.toContain('third');
    expect(printed).toEqual([]);
  });
});

test('months and times are those of the time zone', () => {
  const at = Date.parse('2026-12-31T23:30:00Z');
  expect(presetsAt(at, 'UTC')[0]).toEqual({ name: 'This month', from: '2026-12-01', to: '2026-12-31' });
  expect(presetsAt(at, 'Africa/Lagos')).toEqual([
    { name: 'This month', from: '2027-01-01', to: '2027-01-31' },
    { name: 'Last month', from: '2026-12-01', to: '2026-12-31' },
    { name: 'This year', from: '2027-01-01', to: '2027-12-31' },
  ]);
  expect(viewOf(new URLSearchParams({ zone: 'Africa/Lagos' }), at)).toMatchObject({
    from: '2027-01-01',
    to: '2027-01-31',
  });
  expect(formatTime('2026-03-29T01:00:00Z', 'Europe/Berlin')).toBe('2026-03-29 03:00');
});

test('a statement is written as its owner wants dates and amounts', async () => {
  setDisplay({ language: 'de-DE', timeZone: 'UTC' });
  shown(() => json(statementOf()));
  const sheet = await screen.findByRole('article', { name: 'USD statement' });
  expect(await within(sheet).findByText('1.200,00 USD')).toBeTruthy();
  expect(within(sheet).getByText('30.03.2026, 00:30')).toBeTruthy();
  expect(within(sheet).getByText(/The period ends at 01\.04\.2026, 00:00, Europe\/Berlin/)).toBeTruthy();
});
