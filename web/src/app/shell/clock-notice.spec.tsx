import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { routes } from '../../api';
import { json, problem, renderApp, serve, to } from '../../testing';
import { ClockNotice } from './clock-notice';

const instants = { clock: '2027-06-07T12:00:00.000Z', known: '2026-05-03T08:52:00.000Z' };

test.each(['user', 'admin'] as const)(
  'tells a %s both instants while the clock is not accepted',
  async (role) => {
    serve({ [to(routes.clock)]: () => json({ accepted: false, ...instants }) });
    renderApp(<ClockNotice />, { role });
    const notice = await screen.findByRole('status');
    expect(within(notice).getByText('The clock of the server is wrong.')).toBeTruthy();
    for (const instant of Object.values(instants)) expect(within(notice).getByTitle(instant)).toBeTruthy();
  },
);

test.each([
  ['while the clock is accepted', () => json({ accepted: true, ...instants })],
  ['when that can not be asked', () => problem(503, 'unavailable', 'away')],
])('says nothing %s', async (_, answer) => {
  const calls = serve({ [to(routes.clock)]: answer });
  renderApp(<ClockNotice />, { role: 'user' });
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.queryByRole('status')).toBeNull();
});
