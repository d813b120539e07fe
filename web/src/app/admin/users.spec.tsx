import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { adminRoutes, routes } from '../../api';
import { accountOf, json, problem, renderApp, serve, to } from '../../testing';
import CreateUser from './create-user';
import FundWallet from './fund-wallet';
import InvitationsScreen from './invitations';
import Users from './users';

const page = (items: readonly unknown[], next: string | null = null) =>
  json({ items, first: 1, next, previous: null });

test('lists everybody, and finds by search and status, which are in the address', async () => {
  const calls = serve({
    [to(adminRoutes.people)]: ({ path }) =>
      path.includes('search')
        ? page([])
        : page([accountOf(), accountOf({ userId: 'eve', role: 'admin' })], 'abc'),
  });
  const { user, router } = renderApp(<Users />, { role: 'admin' });
  const table = await screen.findByRole('table', { name: 'Users' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['S/N', 'Created', 'Name', 'E-mail', 'Account number', 'Status', 'Actions']);
  expect(await within(table).findByText('admin')).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Suspended' }));
  expect(router.state.location.search).toBe('?status=suspended');
  await user.type(screen.getByLabelText('Find a user'), '  nwosu ');
  await user.click(screen.getByRole('button', { name: 'Search' }));
  expect(router.state.location.search).toBe('?status=suspended&search=nwosu');
  expect(await screen.findByText('No logs available.')).toBeTruthy();
  expect(calls.map(({ path }) => path.split('?')[1] ?? '')).toEqual([
    '',
    'status=suspended',
    'search=nwosu&status=suspended',
  ]);
});

test('leads to the person of a row, and to the next page', async () => {
  serve({ [to(adminRoutes.people)]: () => page([accountOf()], 'abc') });
  const { user, router } = renderApp(<Users />, { role: 'admin' });
  await screen.findByRole('button', { name: 'View Amara Nwosu' });
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(router.state.location.search).toBe('?cursor=abc');
  await user.click(await screen.findByRole('button', { name: 'View Amara Nwosu' }));
  expect(router.state.location.pathname).toBe('/auth/User/dashboard/amara');
});

test('says when the list could not be loaded', async () => {
  const answers = [() => problem(503, 'unavailable', 'Later.')];
  serve({ [to(adminRoutes.people)]: () => (answers.shift() ?? (() => page([])))() });
  const { user } = renderApp(<Users />, { role: 'admin' });
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No logs available.')).toBeTruthy();
});

test('a customer is chosen to be funded, and only customers are offered', async () => {
  const calls = serve({
    [to(adminRoutes.people)]: () => page([accountOf()]),
    [to(routes.account, { userId: 'amara' })]: () => json(accountOf()),
    [to(routes.prices)]: () => json({ prices: { BTC: '62410.0', PI: '1.0', USDT: '1.0' } }),
  });
  const { user, router } = renderApp(<FundWallet />, { role: 'admin' });
  expect(screen.getByRole('link', { name: 'View Fund History' }).getAttribute('href')).toBe(
    '/fund-request-history/marta',
  );
  await user.click(await screen.findByRole('button', { name: 'Fund Wallet Amara Nwosu' }));
  expect(router.state.location.search).toBe('?customer=amara');
  const dialog = await screen.findByRole('dialog', { name: 'Fund Wallet' });
  expect(within(dialog).getByText('Amara Nwosu')).toBeTruthy();
  expect(calls[0]?.path).toContain('role=user');
});

test('registers somebody, and leads to them; says what is wrong', async () => {
  const answers = [
    () => problem(409, 'email_exists', 'User already exists'),
    () => json({ userId: 'new', role: 'user', position: '9', message: 'ok' }),
  ];
  const calls = serve({
    [to(adminRoutes.createAccount)]: () => answers.shift()!(),
    [to(adminRoutes.systemSettings)]: () => sending('default'),
  });
  const { user, router } = renderApp(<CreateUser />, { role: 'admin' });
  const submit = screen.getByRole('button', { name: 'Create User' });
  await user.click(submit);
  expect(await screen.findAllByText('Incomplete information')).toHaveLength(5);
  for (const [label, text] of [
    ['First name', 'Mei'],
    ['Last name', 'Tanaka'],
    ['E-mail', 'mei@example.com'],
    ['Phone', '+81 1'],
    ['Password', 'correct horse'],
    ['Confirm password', 'correct house'],
  ] as const)
    await user.type(screen.getByLabelText(label), text);
  await user.click(submit);
  expect(await screen.findByText('Passwords do not match')).toBeTruthy();
  await user.clear(screen.getByLabelText('Confirm password'));
  await user.type(screen.getByLabelText('Confirm password'), 'correct horse');
  await user.click(submit);
  expect(await screen.findByText('User already exists')).toBeTruthy();
  await user.click(submit);
  expect(await screen.findByText('Registration successful')).toBeTruthy();
  expect(router.state.location.pathname).toBe('/auth/User/dashboard/new');
  expect(calls.filter(({ method }) => method !== 'GET')).toHaveLength(2);
});

const sending = (source: string) =>
  json({ version: '0.1.0', items: [{ name: 'SMTP_URL', value: 'set', source }] });

test('offers no link where no mails are sent', async () => {
  const calls = serve({ [to(adminRoutes.systemSettings)]: () => sending('default') });
  renderApp(<CreateUser />, { role: 'admin' });
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.queryByLabelText('Mail a link to set one')).toBeNull();
});

test('registers somebody who sets the password by a link, which nobody here has seen', async () => {
  const answers = [() => problem(429, 'rate_limited', 'Too many requests'), () => json({ message: 'ok' })];
  const calls = serve({
    [to(adminRoutes.createAccount)]: () =>
      json({ userId: 'new', role: 'user', position: '9', message: 'ok' }),
    [to(routes.requestPasswordReset)]: () => answers.shift()!(),
    [to(adminRoutes.systemSettings)]: () => sending('environment'),
  });
  for (const said of ['No link was mailed. The person can ask for one at sign-in.', undefined]) {
    const { user, router, unmount } = renderApp(<CreateUser />, { role: 'admin' });
    for (const [label, text] of [
      ['First name', 'Mei'],
      ['Last name', 'Tanaka'],
      ['E-mail', 'mei@example.com'],
      ['Phone', '+81 1'],
    ] as const)
      await user.type(screen.getByLabelText(label), text);
    await user.click(await screen.findByLabelText('Mail a link to set one'));
    expect(screen.queryByLabelText('Password')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Create User' }));
    expect(await screen.findAllByText('Registration successful')).not.toHaveLength(0);
    if (said !== undefined) expect(await screen.findByText(said)).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth/User/dashboard/new'));
    unmount();
  }
  const [first, asked, second, again] = calls
    .filter(({ method }) => method !== 'GET')
    .map(({ body }) => body as Record<string, string>);
  expect([asked, again]).toEqual([{ email: 'mei@example.com' }, { email: 'mei@example.com' }]);
  expect(first?.['password']).toMatch(/^.{40,}$/);
  expect(first?.['password']).toBe(first?.['confirmPassword']);
  expect(first?.['password']).not.toBe(second?.['password']);
});

const invitation = {
  id: '00000000-0000-4000-8000-000000000001',
  created: '2026-05-03T08:52:00.000Z',
  duty: 'support',
  expiresAt: '2026-05-04T08:52:00.000Z',
  issuedBy: { userId: 'marta', name: 'Marta Okafor' },
  state: 'open',
  end: null,
  position: '41',
};

test('an admin is invited by a link that is shown once, and an invitation is revoked', async () => {
  const used = {
    ...invitation,
    id: '00000000-0000-4000-8000-000000000002',
    state: 'accepted',
    end: { at: '2026-05-03T09:00:00.000Z', by: { userId: 'eve', name: 'Eve Miller' } },
  };
  const calls = serve({
    [to(adminRoutes.invitations)]: () => page([invitation, used]),
    [to(adminRoutes.inviteAdmin)]: () =>
      json({
        invitationId: invitation.id,
        token: 'secret',
        path: '/auth/register#invitation=secret',
        expiresAt: invitation.expiresAt,
        position: '9',
        message: 'ok',
      }),
    [to(adminRoutes.revokeInvitation, { invitationId: invitation.id })]: () =>
      json({ invitationId: invitation.id, position: '10', message: 'Invitation revoked' }),
  });
  const { user } = renderApp(<InvitationsScreen />, { role: 'admin' });
  expect(await screen.findByText(/Accepted by Eve Miller/)).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('Duty'), 'finance');
  await user.click(screen.getByRole('button', { name: 'Issue a link' }));
  expect(await screen.findByText(/\/auth\/register#invitation=secret$/)).toBeTruthy();
  expect(calls.find(({ name }) => name === to(adminRoutes.inviteAdmin))?.body).toEqual({ duty: 'finance' });
  const [open, closed] = screen.getAllByRole<HTMLButtonElement>('button', {
    name: 'Revoke the invitation by Marta Okafor',
  });
  expect(closed?.disabled).toBe(true);
  await user.click(open!);
  const dialog = await screen.findByRole('dialog', { name: 'Revoke the invitation' });
  await user.type(within(dialog).getByLabelText('Reason'), 'Wrong address');
  await user.click(within(dialog).getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Invitation revoked')).toBeTruthy();
  expect(calls.at(-2)?.body ?? calls.at(-1)?.body).toEqual({ reason: 'Wrong address' });
});

test('says when an invitation was used in the meantime', async () => {
  serve({
    [to(adminRoutes.invitations)]: () => page([invitation]),
    [to(adminRoutes.revokeInvitation, { invitationId: invitation.id })]: () =>
      problem(409, 'invitation_used', 'This invitation was used already.'),
  });
  const { user } = renderApp(<InvitationsScreen />, { role: 'admin' });
  await user.click(await screen.findByRole('button', { name: 'Revoke the invitation by Marta Okafor' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Reason'), 'Wrong address');
  await user.click(within(dialog).getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('This invitation was used already.')).toBeTruthy();
});
