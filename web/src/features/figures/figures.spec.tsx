import { describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { DailySums, Load, ReadModelList, RequestsByAge } from '#contracts';
import { adminRoutes } from '../../api';
import Figures from '../../app/admin/figures';
import { json, problem, queryOf, renderApp, serve, to } from '../../testing';
import { dayTicks, faultOf, lastDays, viewOf } from './days';
import { lagsOf, pacesOf, type Seen } from './seen';
import { totalOf } from './sums';

type Row = DailySums['items'][number];
type Model = ReadModelList['models'][number];
type Answer = Response | (() => Response);

const row = (day: string, more: Partial<Row> = {}): Row => ({
  day,
  currency: 'USD',
  in: '0.00',
  out: '0.00',
  bonus: '0.00',
  byHand: '0.00',
  held: '0.00',
  ...more,
});
const sums: DailySums = {
  from: '2026-05-01',
  to: '2026-05-03',
  position: '18209',
  items: [
    row('2026-05-01', { in: '9600.00', held: '40.00', bonus: '1.25' }),
    row('2026-05-02', { held: '40.00' }),
    row('2026-05-03', { in: '100.50', out: '3150.00', byHand: '-12.50', held: '15.00', bonus: '2.00' }),
  ],
};
const age = { funding: 0, withdrawals: 0, transfers: 0, amount: '0.00' };
const byAge: RequestsByAge = {
  at: '2026-05-03T12:00:00.000Z',
  complete: true,
  ages: [
    { ...age, fromHours: 0, toHours: 1, funding: 2, transfers: 1, amount: '3350.00' },
    { ...age, fromHours: 1, toHours: 4 },
    { ...age, fromHours: 24, toHours: null, withdrawals: 1, amount: '75.00' },
  ],
};
const model: Model = {
  name: 'daily-sums',
  version: 1,
  position: '18209',
  state: 'current',
  secondsBehind: 0,
  advancedAt: null,
  eventsBehind: 0,
  parked: 0,
  discarded: 0,
  rebuild: null,
};
const listOf = (...models: readonly Model[]): ReadModelList => ({
  head: '18209',
  headSecondsBehind: 0,
  models: [...models],
});
const DAYS = '?from=2026-05-01&to=2026-05-03&currency=USD';

function open(at = DAYS, answers: Readonly<Record<string, Answer>> = {}) {
  const given = (name: string, usual: unknown) => () => {
    const answer = answers[name];
    return typeof answer === 'function' ? answer() : (answer?.clone() ?? json(usual));
  };
  const calls = serve({
    [to(adminRoutes.dailySums)]: given('sums', sums),
    [to(adminRoutes.requestsByAge)]: given('age', byAge),
    [to(adminRoutes.projections)]: given('models', listOf(model)),
    [to(adminRoutes.load)]: given('load', { commands: 7 } satisfies Load),
  });
  return { calls, ...renderApp(<Figures />, { role: 'admin', at: `/auth/figures/dashboard${at}` }) };
}

const chart = async (name: string) => within(await screen.findByRole('region', { name }));
const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((one) => [...one.children].map(({ lastChild }) => lastChild?.textContent));

describe('the page of figures', () => {
  test('has every chart as a table, which whoever hears the page gets', async () => {
    open();
    const money = await screen.findByRole('table', { name: 'Money by day, USD' });
    expect(cells(money)).toEqual([
      ['2026-05-03', '100.50', '3,150.00', '−12.50', '15.00'],
      ['2026-05-02', '0.00', '0.00', '0.00', '40.00'],
      ['2026-05-01', '9,600.00', '0.00', '0.00', '40.00'],
    ]);
    expect(cells(screen.getByRole('table', { name: 'Bonus expense, USD' }))).toEqual([
      ['2026-05-03', '2.00'],
      ['2026-05-02', '0.00'],
      ['2026-05-01', '1.25'],
    ]);
    expect(cells(await screen.findByRole('table', { name: 'Open requests by age' }))).toEqual([
      ['under 1 h', '3', '2', '0', '1', '3,350.00'],
      ['1 to 4 h', '0', '0', '0', '0', '0.00'],
      ['over 24 h', '1', '0', '1', '0', '75.00'],
    ]);
    await screen.findByRole('table', { name: 'Lag in seconds' });
    for (const drawing of document.querySelectorAll('[data-chart] svg'))
      expect(drawing.getAttribute('aria-hidden')).toBe('true');
  });

  test('draws a bar for each day that has something, and says what all come to', async () => {
    open();
    const money = await chart('Money by day');
    await money.findByText('9,700.50');
    const card = document.querySelector('[data-chart="money"]');
    expect(card?.querySelectorAll('rect')).toHaveLength(3);
    expect(card?.querySelector('svg')?.textContent).toContain('+9,600.00');
    expect(card?.querySelector('svg')?.textContent).toContain('−3,150.00');
    const bonus = await chart('Bonus expense');
    await bonus.findByText('3.25');
    bonus.getByText(/an expense, which nothing earned/);
  });

  test('shows the table in place of the chart, and the address says so', async () => {
    const { router, user } = open();
    await user.click(await screen.findByRole('button', { name: 'As a table: Money by day' }));
    expect(new URLSearchParams(router.state.location.search).get('tables')).toBe('money');
    expect(screen.getByRole('region', { name: 'Money by day, table' }).tabIndex).toBe(0);
    expect(document.querySelector('[data-chart="money"] svg')?.closest('[hidden]')).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'As a table: Lag' }));
    expect(new URLSearchParams(router.state.location.search).get('tables')).toBe('money,lag');
    await user.click(screen.getByRole('button', { name: 'As a chart: Money by day' }));
    expect(new URLSearchParams(router.state.location.search).get('tables')).toBe('lag');
  });

  test('asks for the days and the currency of the address', async () => {
    const { calls, router, user } = open();
    await screen.findByRole('table', { name: 'Money by day, USD' });
    await user.click(screen.getByRole('radio', { name: 'PI' }));
    await waitFor(() => {
      const asked = calls.filter(({ path }) => path.includes('daily-sums')).at(-1);
      expect(asked && Object.fromEntries(queryOf(asked))).toEqual({
        from: '2026-05-01',
        to: '2026-05-03',
        currency: 'PI',
      });
    });
    expect(router.state.location.search).toContain('currency=PI');
  });

  test.each([
    ['?from=2026-05-03&to=2026-05-01', 'The days can’t end before they begin.'],
    ['?from=2025-01-01&to=2026-05-01', 'Choose at most 366 days.'],
  ])('asks for no sums of %s', async (at, said) => {
    const { calls } = open(at);
    await screen.findByText(said);
    await screen.findByRole('table', { name: 'Open requests by age' });
    expect(calls.filter(({ path }) => path.includes('daily-sums'))).toEqual([]);
    expect(screen.getByRole('button', { name: 'CSV' })).toHaveProperty('disabled', true);
  });

  test('says that the sums are being made, and shows them once they are', async () => {
    let isMade = false;
    const rebuild = { events: 1_200, of: 18_209, secondsLeft: null, halted: false };
    open(DAYS, {
      sums: () =>
        isMade ? json(sums) : problem(503, 'unavailable', 'The read model daily-sums is being built.'),
      models: () => json(listOf(isMade ? model : { ...model, state: 'rebuilding', rebuild })),
    });
    await screen.findByText('The sums by day are being made.');
    await screen.findByText(/1,200 of 18,209 events are counted\./);
    expect(screen.queryByRole('region', { name: 'Money by day' })).toBeNull();
    isMade = true;
    await screen.findByRole('table', { name: 'Money by day, USD' });
  });

  test('says what could not be loaded, and asks again', async () => {
    let isAway = true;
    const { user } = open(DAYS, {
      age: () => (isAway ? problem(500, 'internal', 'Something went wrong.') : json(byAge)),
    });
    const card = await chart('Open requests by age');
    const retry = await card.findByRole('button', { name: 'Retry' });
    isAway = false;
    await user.click(retry);
    await screen.findByRole('table', { name: 'Open requests by age' });
  });

  test('says so when there are more requests than were counted', async () => {
    open(DAYS, { age: json({ ...byAge, complete: false }) });
    await screen.findByText(/those that wait longest are\.$/);
  });
});

describe('the days', () => {
  const now = Date.parse('2026-03-01T23:30:00.000Z');

  test('are the last fourteen in UTC where the address says none or nonsense', () => {
    const usual = { from: '2026-02-16', to: '2026-03-01', currency: 'USD' };
    expect(viewOf(new URLSearchParams(), now)).toEqual(usual);
    expect(viewOf(new URLSearchParams('from=2026-02-40&to=x&currency=EUR'), now)).toEqual(usual);
    expect(lastDays(1, now)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  });

  test('are at most a leap year', () => {
    expect(faultOf({ from: '2024-01-01', to: '2024-12-31' })).toBeUndefined();
    expect(faultOf({ from: '2024-01-01', to: '2025-01-01' })).toBeDefined();
  });

  test('are named with their months, and not where there is no room', () => {
    const days = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'];
    expect(dayTicks(days, 50).map(({ label }) => label)).toEqual(['27 Feb', '28', '1 Mar', '2']);
    expect(dayTicks(days, 23).map(({ label }) => label)).toEqual(['27 Feb', '1 Mar']);
  });
});

describe('what was seen', () => {
  const load = (at: number, commands: number): Seen<Load> => ({ at, answer: { commands } });

  test('is the pace of commands between two answers, and none where the program began again', () => {
    expect(pacesOf([load(0, 100), load(5_000, 110), load(10_000, 3), load(12_000, 3)])).toEqual([
      { at: 5_000, value: 2 },
      { at: 12_000, value: 0 },
    ]);
    expect(pacesOf([load(0, 1)])).toEqual([]);
  });

  test('is how far the model was behind that was furthest', () => {
    const behind = { ...model, name: 'totals', secondsBehind: 3.5 };
    const seen = [
      { at: 1, answer: listOf(model) },
      { at: 2, answer: listOf(model, behind) },
    ];
    expect(lagsOf(seen)).toEqual([
      { at: 1, value: 0, model: '' },
      { at: 2, value: 3.5, model: 'totals' },
    ]);
  });

  test('adds up to more than one account can hold', () => {
    const days = Array.from({ length: 3 }, () => row('2026-05-01', { in: '92233720368547758.07' }));
    expect(totalOf(days, 'in', 'USD')).toBe('276701161105643274.21');
  });
});
