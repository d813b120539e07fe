import { expect, jest, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { CasePage } from '#contracts';
import { adminRoutes, routes } from '../../api';
import { accountOf, json, problem, queryOf, renderApp, serve, to } from '../../testing';
import { CaseFile } from '.';

const { userId } = accountOf();
const event = (position: number, type: string, stream: string, revision: number, actorId = userId) => ({
  at: '2026-05-01T08:00:00.000Z',
  data: {},
  id: `e${position}`,
  meta: {
    actor: { id: actorId, kind: 'person', role: actorId === userId ? 'user' : 'admin' },
    chain: `chain-${position}`,
    ...(actorId === userId ? {} : { reason: 'looks right' }),
  },
  position: String(position),
  revision,
  stream: `${stream}-${userId}`,
  type,
  version: 1,
});
const end = { position: '12', streams: { [`access-${userId}`]: 0, [`account-${userId}`]: 1 } };
const pages: Readonly<Record<string, CasePage>> = {
  '': {
    end,
    items: [event(7, 'AccountOpened', 'account', 0), event(8, 'SignedIn', 'access', 0)],
    first: 1,
    next: 'two',
    previous: null,
  },
  two: {
    end,
    items: [event(12, 'FundingConfirmed', 'account', 1, 'admin-of-the-house')],
    first: 3,
    next: null,
    previous: null,
  },
};

test('a case has all events in order, how each stream ends, and is printed once it is whole', async () => {
  const print = jest.fn();
  Object.assign(globalThis, { print });
  serve({
    [to(routes.account, { userId })]: () => json(accountOf()),
    [to(adminRoutes.caseFile, { userId })]: (call) => json(pages[queryOf(call).get('cursor') ?? '']),
  });
  const { user } = renderApp(<CaseFile userId={userId} />, { role: 'admin' });
  await screen.findByText('3 events, in the order of the log. What is encrypted in them is not shown.');
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows.map((one) => [...one.children].map(({ textContent }) => textContent))).toEqual([
    ['7', '2026-05-01 08:00', 'AccountOpened', 'account, 0', 'the person', ''],
    ['8', '2026-05-01 08:00', 'SignedIn', 'access, 0', 'the person', ''],
    [
      '12',
      '2026-05-01 08:00',
      'FundingConfirmed',
      'account, 1',
      expect.stringMatching(/^admin /),
      'looks right',
    ],
  ]);
  expect(screen.getByText('chain-12')).toBeTruthy();
  expect(screen.getByText('chain-8')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledTimes(1);
});

test('somebody who is not there has no case', async () => {
  serve({
    [to(routes.account, { userId })]: () => problem(404, 'account_not_found', 'There is no such account.'),
    [to(adminRoutes.caseFile, { userId })]: () =>
      problem(404, 'account_not_found', 'There is no account of this person.'),
  });
  renderApp(<CaseFile userId={userId} />, { role: 'admin' });
  await screen.findByText('User not found');
});
