import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes, routes } from '../../api';
import { accountOf, json, problem, renderApp, serve, to, waitingOf, withdrawalOf } from '../../testing';
import { Attention } from '.';
import { troublesIn, wellIn, type Known } from './watched';

const model = {
  name: 'accounts',
  version: 1,
  position: '9',
  state: 'current',
  secondsBehind: 0,
  advancedAt: null,
  eventsBehind: 0,
  parked: 0,
  discarded: 0,
  rebuild: null,
} as const;
const run = {
  id: 'bonus',
  slot: '2026-05-03T08:00:00.000Z',
  cause: 'schedule',
  state: 'failed',
  attempts: 1,
  startedAt: null,
  endedAt: null,
  report: null,
  error: 'away',
} as const;
const at = '2026-05-03T09:00:00.000Z';
const well: Known = {
  models: { head: '9', headSecondsBehind: 0, models: [model] },
  jobs: { items: [{ kind: 'bonus', everySeconds: 60, nextAt: at, runs: [{ ...run, state: 'done' }] }] },
  health: { status: 'ok', checks: { disk: '80 % free' } },
  clock: { accepted: true, clock: at, known: at },
};

test('what is well is told in one line, and what is not in its own words', () => {
  expect(troublesIn(well)).toEqual([]);
  expect(wellIn(well)).toEqual(['1 read model', '1 job', 'the clock', 'the disk (80 % free)']);
  const ill: Known = {
    models: {
      ...well.models!,
      models: [
        { ...model, state: 'stalled', parked: 2 },
        { ...model, name: 'totals', secondsBehind: 90, eventsBehind: 7, state: 'behind' },
      ],
    },
    jobs: { items: [{ kind: 'bonus', everySeconds: 60, nextAt: at, runs: [run] }] },
    health: { status: 'degraded', checks: { disk: 'little is free' } },
    clock: { accepted: false, clock: at, known: at },
  };
  expect(troublesIn(ill).map(({ what, state }) => [what, state])).toEqual([
    ['It is wrong, so that nothing is written', 'not accepted'],
    ['accounts, 2 parked events', 'stalled'],
    ['totals, 7 events behind', 'behind'],
    ['bonus: away', 'failed'],
    ['disk: little is free', 'degraded'],
  ]);
  expect(wellIn(ill)).toEqual([]);
});

test('the requests that wait longest are decided where they are listed', async () => {
  const withdrawal = withdrawalOf();
  const { type: _type, loanPurpose: _purpose, hold: _hold, walletAddress: _to, ...common } = withdrawal;
  const listed = { ...common, kind: 'withdrawal' };
  const of = { userId: 'amara', requestId: withdrawal.id };
  const calls = serve({
    [to(adminRoutes.approvals)]: () =>
      json({ items: [waitingOf(), waitingOf({ id: withdrawal.id })], first: 1, next: null, previous: null }),
    [to(adminRoutes.requests)]: () => json({ items: [listed], first: 1, next: null, previous: null }),
    [to(adminRoutes.projections)]: () => json(well.models),
    [to(adminRoutes.jobs)]: () => problem(503, 'unavailable', 'Later.'),
    [to(routes.healthReady)]: () => json(well.health),
    [to(routes.clock)]: () => json(well.clock),
    [to(routes.withdrawal, of)]: () => json(withdrawal),
    [to(routes.account, { userId: 'amara' })]: () => json(accountOf()),
    [to(routes.prices)]: () => json({ prices: { BTC: '1.0', PI: '1.0', USDT: '1.0' } }),
    [to(adminRoutes.confirmWithdrawal, of)]: () =>
      json({ requestId: withdrawal.id, status: 'confirmed', position: '50', message: 'ok' }),
  });
  const { user } = renderApp(<Attention all="/all" operations="/operations" />, { role: 'admin' });
  expect(
    await screen.findByRole('button', { name: 'Decide adjustment of +1,500.00 USD for Amara Nwosu' }),
  ).toBeTruthy();
  // The withdrawal is told of once.
  expect(screen.getAllByRole('button', { name: /^Decide / })).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Decide withdrawal of 100.00 USD by Amara Nwosu' }));
  expect(calls.find(({ name }) => name === to(adminRoutes.requests))?.path).toContain(
    'status=Pending&order=oldest&limit=6',
  );
  const dialog = await screen.findByRole('dialog', { name: 'Transaction Details' });
  await user.type(within(dialog).getByLabelText('Payout reference, if there is one'), ' tx-1 ');
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('Transaction approved successfully!')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ payoutReference: 'tx-1' });
  expect(await screen.findByText(/^Not all that is watched could be asked for/)).toBeTruthy();
});
