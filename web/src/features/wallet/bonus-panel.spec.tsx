import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { accountOf, renderApp, serve } from '../../testing';
import { BonusPanel, percentOf } from './bonus-panel';

const bonus = {
  startDate: '2026-05-01T08:00:00.000Z',
  endDate: '2026-05-08T08:00:00.000Z',
  bonusDays: 2,
  updatedTime: '2026-05-03T08:00:00.000Z',
};
const bonusTerms = {
  rate: '0.10',
  capDays: 7,
  everyHours: 7,
  currency: 'USDT' as const,
  dueAt: '2026-05-04T08:00:00.000Z',
};

test('says what the bonus is, who pays it, how, what came and what comes', () => {
  serve({});
  const totals = { ...accountOf().totals, bonus: '520.80' };
  renderApp(<BonusPanel account={accountOf({ bonus, bonusTerms, totals })} />);
  expect(screen.getByRole('region', { name: 'Promotional bonus' }).textContent).toContain(
    'Paid by the operator, not by mining.',
  );
  expect(screen.getByRole('meter').getAttribute('aria-valuetext')).toBe('2 of 7 days');
  expect(screen.getByText(/^10 % of the wallet for each day, 7 days a cycle at most/)).toBeTruthy();
  expect(screen.getByText('Came so far: 520.80 USD.')).toBeTruthy();
  expect(screen.getByText(/^Comes next: not before/)).toBeTruthy();
});

test('a cycle that was stopped has paid all, and an account without one shows nothing', () => {
  serve({});
  const stopped = { ...bonus, bonusDays: 30 };
  const { unmount } = renderApp(
    <BonusPanel account={accountOf({ bonus: stopped, bonusTerms: { ...bonusTerms, dueAt: null } })} />,
  );
  expect(screen.getByText('This cycle pays nothing more.')).toBeTruthy();
  expect(screen.getByRole('meter').getAttribute('aria-valuetext')).toBe('7 of 7 days');
  unmount();
  renderApp(<BonusPanel account={accountOf()} />);
  expect(screen.queryByText('Promotional bonus')).toBeNull();
});

test.each([
  ['0.10', '10 %'],
  ['0.1', '10 %'],
  ['0', '0 %'],
  ['1', '100 %'],
  ['0.0025', '0.25 %'],
  ['0.105', '10.5 %'],
])('a rate of %s is %s', (rate, text) => {
  expect(percentOf(rate)).toBe(text);
});
