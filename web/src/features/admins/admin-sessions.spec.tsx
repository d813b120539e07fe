import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { json, renderApp, serve, to } from '../../testing';
import { AdminSessions } from '.';

const admin = (userId: string, name: string, signedInAt: string | null) => ({
  userId,
  name,
  email: `${userId}@example.com`,
  status: 'active',
  duty: 'owner',
  hasSecondFactor: true,
  signedInAt,
});
const session = {
  sessionId: 's1',
  createdAt: '2026-05-03T08:00:00.000Z',
  lastUsedAt: '2026-05-03T08:50:00.000Z',
  endsAt: '2026-05-03T16:00:00.000Z',
  address: '203.0.113.7',
  agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  current: false,
};

test('says how many admins are signed in, and where once it is asked for: that is noted', async () => {
  const admins = [admin('ivy', 'Ivy Lund', '2026-05-03T08:00:00.000Z'), admin('max', 'Max Roth', null)];
  const calls = serve({
    [to(adminRoutes.admins)]: () => json({ admins }),
    [to(adminRoutes.sessionsOf, { userId: 'ivy' })]: () => json({ items: [session] }),
  });
  const { user } = renderApp(<AdminSessions />, { role: 'admin' });
  expect(await screen.findByText('1 of 2 admins are signed in.')).toBeTruthy();
  const asked = () => calls.filter(({ path }) => path.includes('/sessions'));
  expect(asked()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Show where' }));
  const table = within(await screen.findByRole('table', { name: 'Sessions of Ivy Lund' }));
  expect(await table.findByText('203.0.113.7')).toBeTruthy();
  expect(table.getByRole('button', { name: 'Sign out Firefox on Linux at 203.0.113.7' })).toBeTruthy();
  expect(asked()).toHaveLength(1);
});
