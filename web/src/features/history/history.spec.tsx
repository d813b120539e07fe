import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { AccountEvents, AccountState } from '#contracts';
import { routes } from '../../api';
import HistoryScreen from '../../app/wallet/history';
import { accountOf, clipboard, json, problem, renderApp, serve, to } from '../../testing';
import { CHUNK } from './moments';

const EVENTS = 120;
const { status, balances, totals } = accountOf();
/** After the n-th event there are n dollars. */
const stateAt = (n: number): AccountState => ({
  status,
  balances,
  totals,
  wallet: { balance: `${n}.00`, available: `${n}.00`, held: '0.00' },
});
const eventAt = (n: number): AccountEvents['events'][number] => ({
  eventId: `e${n}`,
  type: n === 0 ? 'AccountOpened' : 'WalletCredited',
  description: n === 0 ? 'Account opened' : 'Credited by an admin',
  revision: n,
  position: String(1000 + n),
  at: new Date(Date.parse('2026-05-01T08:00:00Z') + n * 60_000).toISOString(),
  by: { role: 'admin', name: 'Marta Okafor' },
  after: stateAt(n),
});
const address = to(routes.accountEvents, { userId: 'amara' });

/** Pages of the history as the service gives them. */
function answer(path: string): Response {
  const query = new URLSearchParams(path.split('?')[1]);
  const last = EVENTS - 1;
  const from = Number(query.get('from') ?? last);
  const isOldest = query.get('order') === 'oldest';
  const count = isOldest ? Math.min(Number(query.get('limit')), EVENTS - from) : 1;
  const events = Array.from({ length: count }, (_, n) => eventAt(from + n));
  const before = from === 0 ? null : stateAt(from - 1);
  return json({
    userId: 'amara',
    revision: last,
    before,
    events,
    next: null,
    previous: null,
    chainVerified: true,
  });
}

const wallet = async () => {
  const row = await screen.findByRole('row', { name: /^Wallet, USD \d/ });
  return within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent?.replace(/^The step before |^Now /, ''));
};
const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Moment' });

test('begins at the last event, and goes step by step over the pages of the history', async () => {
  const calls = serve({ [address]: ({ path }) => answer(path) });
  const { user, router } = renderApp(<HistoryScreen />);
  expect(await wallet()).toEqual(['119.00', '118.00', '+1.00']);
  expect(slider().getAttribute('aria-valuetext')).toMatch(
    /^event 120 of 120, Credited by an admin, 2026-05-01 /,
  );
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Step on' }).disabled).toBe(true);

  fireEvent.change(slider(), { target: { value: String(CHUNK) } });
  expect(await wallet()).toEqual(['50.00', '49.00', '+1.00']);
  await user.click(screen.getByRole('button', { name: 'Step back' }));
  expect(await wallet()).toEqual(['49.00', '48.00', '+1.00']);
  expect(router.state.location.search).toBe('?at=49');
  const copied = clipboard();
  for (const [what, text] of [
    ['Event id', 'e49'],
    ['Position', '1049'],
  ] as const) {
    await user.click(screen.getByRole('button', { name: `Copy ${what}` }));
    expect(copied.at(-1)).toBe(text);
  }
  expect(calls.map(({ path }) => path.split('?')[1])).toEqual([
    'limit=1',
    'order=oldest&from=100&limit=50',
    'order=oldest&from=50&limit=50',
    'order=oldest&from=0&limit=50',
  ]);
});

test('is compared with now, and with nothing before the account was opened', async () => {
  serve({ [address]: ({ path }) => answer(path) });
  const { user, router } = renderApp(<HistoryScreen />, { at: '/?at=0' });
  const row = await screen.findByRole('row', { name: 'Status active The step before not opened changed' });
  expect(row.dataset['changed']).toBe('true');
  await user.click(screen.getByRole('radio', { name: 'Now' }));
  expect(router.state.location.search).toBe('?at=0&against=now');
  expect(await wallet()).toEqual(['0.00', '119.00', '−119.00']);
});

test('plays event by event until it is paused', async () => {
  serve({ [address]: ({ path }) => answer(path) });
  renderApp(<HistoryScreen />, { at: '/?at=3' });
  expect(await wallet()).toEqual(['3.00', '2.00', '+1.00']);
  jest.useFakeTimers();
  fireEvent.click(screen.getByRole('button', { name: 'Play' }));
  for (const value of ['4', '5']) {
    await act(() => jest.advanceTimersByTimeAsync(1_200));
    expect(slider().value).toBe(value);
  }
  fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
  await act(() => jest.advanceTimersByTimeAsync(10_000));
  expect(slider().value).toBe('5');
  jest.useRealTimers();
});

test('is not played for who asks for no motion', async () => {
  jest.spyOn(globalThis, 'matchMedia').mockImplementation(
    (media) =>
      Object.assign(new EventTarget(), {
        media,
        matches: media.includes('reduced-motion'),
      }) as MediaQueryList,
  );
  serve({ [address]: ({ path }) => answer(path) });
  renderApp(<HistoryScreen />);
  await wallet();
  expect(screen.queryByRole('button', { name: 'Play' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Step back' })).toBeTruthy();
});

test('says when it could not be loaded', async () => {
  const answers = [() => problem(503, 'unavailable', 'Later.')];
  serve({ [address]: ({ path }) => (answers.shift() ?? (() => answer(path)))() });
  const { user } = renderApp(<HistoryScreen />);
  expect((await screen.findByRole('alert')).textContent).toContain('Later.');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await wallet()).toEqual(['119.00', '118.00', '+1.00']);
});
