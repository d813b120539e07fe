import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { json, problem, queryOf, renderApp, serve, to } from '../../testing';
import { SettingHistory } from '.';

const actor = { id: 'ada', role: 'admin', name: 'Ada Miller' };
const change = (revision: number, price: string, was?: string) => ({
  eventId: `event-${revision}`,
  type: 'PricesSet',
  part: 'prices',
  revision,
  at: '2026-05-03T14:02:00.000Z',
  actor,
  reason: 'The market moved',
  data: { prices: { BTC: price } },
  was: { prices: was === undefined ? {} : { BTC: was } },
});

test('says who changed what from what to what, and leads to older changes and back', async () => {
  const calls = serve({
    [to(adminRoutes.settingsHistory)]: (call) =>
      queryOf(call).get('before') === null
        ? json({ items: [change(7, '62000', '61000')], before: 7 })
        : json({ items: [change(3, '61000')], before: null }),
  });
  const { user, router } = renderApp(<SettingHistory part="prices" />, { role: 'admin' });
  expect(await screen.findByText('62,000.00')).toBeTruthy();
  expect([screen.getByText('61,000.00'), screen.getByText('The market moved')].length).toBe(2);
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByText('earlier')).toBeTruthy();
  expect(router.state.location.search).toBe('?changes=7');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Previous' }));
  expect(await screen.findByText('62,000.00')).toBeTruthy();
  expect(calls.every((call) => queryOf(call).get('part') === 'prices')).toBe(true);
});

test('tells limits of approvals in words', async () => {
  const tiers = (above: string) => ({ tiers: { BTC: [{ above, approvals: 2 }] }, expireHours: 72 });
  const limits = {
    ...change(7, ''),
    type: 'ApprovalLimitsSet',
    part: 'approval-limits',
    data: tiers('1000.00'),
    was: { tiers: {}, expireHours: 72 },
  };
  serve({ [to(adminRoutes.settingsHistory)]: () => json({ items: [limits], before: null }) });
  renderApp(<SettingHistory part="approval-limits" />, { role: 'admin' });
  expect(await screen.findByText('above 1,000.00: 2 admins')).toBeTruthy();
  expect(screen.getByText('one admin decides')).toBeTruthy();
});

test('says that nobody has changed it, and that it could not be loaded', async () => {
  let isAway = true;
  serve({
    [to(adminRoutes.settingsHistory)]: () =>
      isAway ? problem(503, 'unavailable', 'It is away.') : json({ items: [], before: null }),
  });
  const { user } = renderApp(<SettingHistory part="prices" />, { role: 'admin' });
  expect(await screen.findByText('It is away.')).toBeTruthy();
  isAway = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No logs available.')).toBeTruthy();
});
