import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import type { AccountView, Duty } from '#contracts';
import { adminRoutes, pathOf, routes } from '../../api';
import { accountOf, json, problem, renderApp, serve, settingsOf, to, waitingOf, whyOf } from '../../testing';
import { paths, personAt } from '../paths';
import Person from './person';

const of = { userId: 'amara' };
const accepted = () => json({ position: '50', message: 'ok', status: 'suspended' });
const bonusTerms = { rate: '0.10', capDays: 7, everyHours: 7, currency: 'USDT', dueAt: null } as const;
const bonus = {
  startDate: '2026-05-01T08:00:00.000Z',
  endDate: '2026-05-08T08:00:00.000Z',
  bonusDays: 3,
  updatedTime: '2026-05-03T08:00:00.000Z',
};
const line = {
  id: 't1',
  userId: 'amara',
  customer: 'Amara Nwosu',
  type: 'debit',
  amount: '25.00',
  currency: 'USDT',
  converted: '25.000000',
  balance: '475.00',
  currencyBalance: '475.000000',
  created: '2026-05-03T08:52:00.000Z',
  source: 'WalletDebited',
  description: 'Debited by hand',
  requestId: null,
  position: '41',
};
const session = {
  sessionId: 's1',
  createdAt: '2026-05-03T08:00:00.000Z',
  lastUsedAt: '2026-05-03T11:00:00.000Z',
  endsAt: '2026-06-03T08:00:00.000Z',
  address: '203.0.113.24',
  agent: 'curl/8',
  current: false,
};
const note = {
  id: 'n1',
  at: '2026-05-03T08:52:00.000Z',
  by: { userId: 'marta', name: 'Marta Okafor' },
  text: 'Called about the payout fee.',
};
const request = {
  id: 'R1'.padEnd(34, 'x'),
  kind: 'Funding',
  amount: '100.00',
  currency: 'BTC',
  createdAt: '2026-05-03T08:52:00.000Z',
  position: '41',
};
/** The request, and an adjustment. */
const waits = [waitingOf({ id: request.id, kind: 'funding' }), waitingOf()];

function open(
  changes: Partial<AccountView> = {},
  acts: Record<string, () => Response> = {},
  at = '',
  duty: Duty = 'owner',
) {
  const account = accountOf({ bonus, bonusTerms, ...changes });
  const calls = serve({
    [to(routes.account, of)]: () => json(account),
    [to(routes.prices)]: () =>
      json({ prices: { BTC: '62410.00000000', PI: '1.00000000', USDT: '1.00000000' } }),
    [to(routes.openRequests, of)]: () => json({ items: [request], more: false }),
    [to(routes.ownTransactions, of)]: () => json({ items: [line], first: 1, next: null, previous: null }),
    [to(adminRoutes.sessionsOf, of)]: () => json({ items: [session] }),
    [to(routes.why, { ...of, currency: 'USD' })]: () => json(whyOf()),
    [to(adminRoutes.notes, of)]: () => json({ items: [note], next: null, previous: null }),
    [to(adminRoutes.approvals)]: () => json({ items: waits, first: 1, next: null, previous: null }),
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    ...acts,
  });
  const page = renderApp(
    <Routes>
      <Route path={paths.person} element={<Person />} />
    </Routes>,
    { role: 'admin', duty, at: personAt('amara') + at },
  );
  return { calls, ...page };
}

const sent = (calls: ReturnType<typeof open>['calls'], method: string) =>
  calls.filter((call) => call.method === method).map(({ path, body }) => ({ path, body }));

/** Opens an act's dialog, gives a reason, and sends it. */
async function act({ user }: ReturnType<typeof open>, button: string, title: string, word: string) {
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = await screen.findByRole('dialog', { name: title });
  await user.type(within(dialog).getByLabelText('Reason'), 'Asked for by phone');
  await user.click(within(dialog).getByRole('button', { name: word }));
}

test('shows who somebody is, what they have and what waits, and why a balance is so', async () => {
  const { user, router } = open();
  const head = await screen.findByRole('region', { name: 'Amara Nwosu' });
  expect(within(head).getByText('3071884215')).toBeTruthy();
  expect(within(head).getByText('Active')).toBeTruthy();
  expect(await screen.findByText('−25.00')).toBeTruthy();
  expect(screen.getByText('3 of 7 days')).toBeTruthy();
  const adjustments = await screen.findByRole('region', { name: 'Waiting adjustments' });
  expect(within(adjustments).getByText('+1,500.00')).toBeTruthy();
  expect(screen.getAllByText('1 of 2 approvals')).toHaveLength(2);
  const decide = await screen.findByRole('link', { name: 'Decide Funding, BTC, 100.00 USD' });
  expect(decide.getAttribute('href')).toBe(`/fund-request-history/amara?request=${request.id}`);
  const [wallet] = screen.getAllByRole('button', { name: /USD Why this balance$/ });
  await user.click(wallet!);
  expect(router.state.location.search).toBe('?why=USD');
  expect(await screen.findByRole('region', { name: 'Why 500.00 USD' })).toBeTruthy();
  const then = screen.getByRole('link', { name: 'The account then, after event 2' });
  expect(then.getAttribute('href')).toBe('/auth/audit/account/amara?at=2');
});

test('a user is blocked with a reason, and the dialog says what follows', async () => {
  const page = open({}, { [to(adminRoutes.suspend, of)]: accepted });
  await page.user.click(await screen.findByRole('button', { name: 'Block User' }));
  const dialog = await screen.findByRole('dialog', { name: 'Suspend Amara Nwosu' });
  expect(within(dialog).getByText(/signed out of one session at once/)).toBeTruthy();
  await page.user.click(within(dialog).getByRole('button', { name: 'Block User' }));
  expect(await within(dialog).findByText('Please give a reason.')).toBeTruthy();
  await page.user.type(within(dialog).getByLabelText('Reason'), 'A stolen phone');
  await page.user.click(within(dialog).getByRole('button', { name: 'Block User' }));
  expect(await screen.findByText('User blocked successfully!')).toBeTruthy();
  expect(sent(page.calls, 'POST')).toEqual([
    { path: pathOf(adminRoutes.suspend, of), body: { reason: 'A stolen phone' } },
  ]);
});

test('says when the user could not be blocked', async () => {
  const page = open({}, { [to(adminRoutes.suspend, of)]: () => problem(503, 'unavailable', 'Later.') });
  await act(page, 'Block User', 'Suspend Amara Nwosu', 'Block User');
  expect(await screen.findByText('Failed to block the user.')).toBeTruthy();
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('a blocked user is activated', async () => {
  const page = open({ status: 'suspended' }, { [to(adminRoutes.activate, of)]: accepted });
  await act(page, 'Activate', 'Activate Amara Nwosu', 'Activate');
  expect(await screen.findByText('User activated successfully!')).toBeTruthy();
});

test('an owner erases a blocked user, whose number is typed, and is told what goes and what stays', async () => {
  const answers = [
    () => problem(409, 'account_not_empty', 'There is money in the account.'),
    () => json({ message: 'The account is erased.' }),
  ];
  const page = open(
    { status: 'suspended' },
    { [to(adminRoutes.eraseAccount, of)]: () => answers.shift()!() },
  );
  await page.user.click(await screen.findByRole('button', { name: 'Erase' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase Amara Nwosu' }));
  expect(dialog.getByText(/The key that they are encrypted with is destroyed/)).toBeTruthy();
  expect(dialog.getByText(/under an id that leads to nobody/)).toBeTruthy();
  const erase = dialog.getByRole<HTMLButtonElement>('button', { name: 'Erase for ever' });
  expect(erase.disabled).toBe(true);
  await page.user.type(dialog.getByLabelText(/^Type the account number/), '3071884215');
  await page.user.type(dialog.getByLabelText('Reason'), 'Asked for in writing');
  await page.user.click(erase);
  expect(await screen.findByText('There is money in the account.')).toBeTruthy();
  await page.user.click(erase);
  expect(await screen.findByText('The account is erased.')).toBeTruthy();
  expect(page.calls.findLast(({ method }) => method === 'POST')?.body).toEqual({
    reason: 'Asked for in writing',
  });
});

test('nobody is erased who is at work', async () => {
  open();
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Erase' })).disabled).toBe(true);
});

test.each([
  [
    'Stop',
    'Stop mining',
    'Stop',
    to(adminRoutes.stopBonus, of),
    'Mining stopped successfully',
    'Mining could not be stopped.',
  ],
  [
    'Restart mining',
    'Restart mining',
    'Restart',
    to(adminRoutes.restartBonus, of),
    'Mining restarted successfully',
    'Mining could not be restarted.',
  ],
] as const)('%s: says both outcomes', async (button, title, word, route, done, failed) => {
  const answers = [() => problem(503, 'unavailable', 'Later.'), accepted];
  const page = open({}, { [route]: () => answers.shift()!() });
  await act(page, button, title, word);
  expect(await screen.findByText(failed)).toBeTruthy();
  await page.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: word }));
  expect(await screen.findByText(done)).toBeTruthy();
});

test('a lost second factor is taken off with a reason, and not by whoever decides on money alone', async () => {
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => json({ message: 'Second factor is off' }),
  ];
  const route = to(adminRoutes.removeLostSecondFactor, of);
  const title = 'Take off the second factor of Amara Nwosu';
  const page = open({}, { [route]: () => answers.shift()!() }, '', 'support');
  await act(page, 'Take it off', title, 'Take it off');
  expect(await screen.findByText('The second factor could not be taken off.')).toBeTruthy();
  const dialog = within(screen.getByRole('dialog', { name: title }));
  expect(dialog.getByText(/make sure first who asks/)).toBeTruthy();
  await page.user.click(dialog.getByRole('button', { name: 'Take it off' }));
  expect(await screen.findByText('Second factor is off')).toBeTruthy();
  expect(sent(page.calls, 'POST').at(-1)).toEqual({
    path: pathOf(adminRoutes.removeLostSecondFactor, of),
    body: { reason: 'Asked for by phone' },
  });
  page.unmount();
  open({}, {}, '', 'finance');
  await screen.findByRole('button', { name: 'Stop' });
  expect(screen.queryByRole('button', { name: 'Take it off' })).toBeNull();
});

test('sessions are ended one by one, and all at once', async () => {
  const ended = () => json({ message: 'ok', ended: 1 });
  const page = open(
    {},
    {
      [to(adminRoutes.endSessionOf, { ...of, sessionId: 's1' })]: ended,
      [to(adminRoutes.endSessionsOf, of)]: ended,
    },
  );
  await page.user.click(await screen.findByRole('button', { name: /^Sign out curl.* at 203\.0\.113\.24$/ }));
  expect(await screen.findByText('Signed out')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
  const dialog = await screen.findByRole('dialog', { name: 'Sign out everywhere' });
  await page.user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
  expect(await screen.findByText('Signed out everywhere')).toBeTruthy();
  expect(sent(page.calls, 'DELETE').map(({ path }) => path)).toEqual([
    pathOf(adminRoutes.endSessionOf, { ...of, sessionId: 's1' }),
    pathOf(adminRoutes.endSessionsOf, of),
  ]);
});

test.each([
  ['owner', 'admin', true],
  ['support', 'user', true],
  ['support', 'admin', false],
] as const)('%s may sign out one who is %s: %s', async (duty, role, may) => {
  open({ role }, {}, '', duty);
  expect(await screen.findByText('203.0.113.24')).toBeTruthy();
  expect(screen.queryAllByRole('button', { name: /^Sign out/ })).toHaveLength(may ? 2 : 0);
});

test('a wallet is credited and debited by hand: shows the effect, skips zero, and says both outcomes', async () => {
  const answers = [
    () => problem(409, 'insufficient_balance', 'Insufficient PI wallet balance!'),
    () => json({ position: '50', message: 'Wallet updated successfully.' }),
  ];
  const page = open({}, { [to(adminRoutes.adjustWallet, of)]: () => answers.shift()!() });
  const before = accountOf().wallet.balance;
  await page.user.click(await screen.findByRole('button', { name: 'Fund Wallet' }));
  expect(page.router.state.location.search).toBe('?fund=yes');
  const dialog = await screen.findByRole('dialog', { name: 'Fund Wallet' });
  const update = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Update wallet' });
  expect(update.disabled).toBe(true);
  const amountIn = (currency: string) => within(dialog).getByLabelText(`Amount in ${currency}, USD`);
  await page.user.type(amountIn('USDT'), '1,000.50');
  await page.user.type(amountIn('PI'), '−0.50');
  await page.user.type(amountIn('BTC'), '0');
  const after = (Number(before) + 1000).toLocaleString('en', { minimumFractionDigits: 2 });
  expect(within(dialog).getByText(after)).toBeTruthy();
  await page.user.type(within(dialog).getByLabelText('Reason'), 'Agreed');
  await page.user.click(update);
  expect(await screen.findByText('Insufficient PI wallet balance!')).toBeTruthy();
  await page.user.click(update);
  expect(await screen.findByText('Wallet updated successfully.')).toBeTruthy();
  expect(sent(page.calls, 'POST').at(-1)).toEqual({
    path: pathOf(adminRoutes.adjustWallet, of),
    body: { amounts: { USDT: '1000.50', PI: '-0.50' }, reason: 'Agreed' },
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('an adjustment that waits for another admin is not told as booked', async () => {
  const waiting = { requestId: 'a'.repeat(34), given: 1, needed: 2 };
  const answer = { position: '50', message: 'Approval recorded, 1 of 2.', waiting };
  const page = open({}, { [to(adminRoutes.adjustWallet, of)]: () => json(answer) }, '?fund=yes');
  const dialog = await screen.findByRole('dialog', { name: 'Fund Wallet' });
  await page.user.type(within(dialog).getByLabelText('Amount in USDT, USD'), '1500');
  await page.user.type(within(dialog).getByLabelText('Reason'), 'Agreed');
  await page.user.click(within(dialog).getByRole('button', { name: 'Update wallet' }));
  expect(await screen.findByText('Approval recorded, 1 of 2.')).toBeTruthy();
  expect(screen.queryByText('Wallet updated successfully.')).toBeNull();
});

test('an adjustment above a limit is asked of a second admin', async () => {
  const tiers = { BTC: [], PI: [], USDT: [{ above: '1000.00', approvals: 2 }] };
  const settings = settingsOf({ approvalLimits: { tiers, expireHours: 72 } });
  const page = open(
    {},
    {
      [to(adminRoutes.settings)]: () => json(settings),
      [to(adminRoutes.approvalsNeeded)]: () => json({ approvals: 2, moved: '0.00' }),
    },
    '?fund=yes',
  );
  const dialog = await screen.findByRole('dialog', { name: 'Fund Wallet' });
  await page.user.type(within(dialog).getByLabelText('Amount in USDT, USD'), '1500');
  expect(await within(dialog).findByRole('button', { name: 'Ask a second admin' })).toBeTruthy();
  expect(
    within(dialog).getByText('It takes 2 admins. Yours is approval 1 of 2, and moves nothing yet.'),
  ).toBeTruthy();
});

test('what is no amount is not sent', async () => {
  const page = open({}, {}, '?fund=yes');
  const dialog = await screen.findByRole('dialog', { name: 'Fund Wallet' });
  await page.user.type(within(dialog).getByLabelText('Amount in USDT, USD'), '12,50');
  expect(await within(dialog).findByText('Please enter a valid amount.')).toBeTruthy();
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Update wallet' }).disabled).toBe(
    true,
  );
});

test('something is noted about somebody, with both outcomes', async () => {
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => json({ noteId: 'n2', position: '50', message: 'ok' }),
  ];
  const notes = [note];
  const listed = () => json({ items: notes, next: null, previous: null });
  const page = open(
    {},
    {
      [to(adminRoutes.notes, of)]: listed,
      [to(adminRoutes.addNote, of)]: () => answers.shift()!(),
    },
  );
  expect(await screen.findByText('Called about the payout fee.')).toBeTruthy();
  const add = screen.getByRole('button', { name: 'Add note' });
  await page.user.type(screen.getByLabelText('New note'), '  Agreed to it. ');
  await page.user.click(add);
  expect(await screen.findByText('Failed to save the note.')).toBeTruthy();
  notes.unshift({ ...note, id: 'n2', text: 'Agreed to it.' });
  await page.user.click(add);
  expect(await screen.findByText('Note added')).toBeTruthy();
  expect(await within(screen.getByRole('list', { name: 'Notes' })).findByText('Agreed to it.')).toBeTruthy();
  expect(sent(page.calls, 'POST').at(-1)?.body).toEqual({ text: 'Agreed to it.' });
});

test('an admin has no wallet, and nobody blocks themselves', async () => {
  serve({
    [to(routes.account, { userId: 'marta' })]: () => json(accountOf({ userId: 'marta', role: 'admin' })),
    [to(adminRoutes.sessionsOf, { userId: 'marta' })]: () => json({ items: [] }),
    [to(adminRoutes.notes, { userId: 'marta' })]: () => json({ items: [], next: null, previous: null }),
  });
  renderApp(
    <Routes>
      <Route path={paths.person} element={<Person />} />
    </Routes>,
    { role: 'admin', at: personAt('marta') },
  );
  expect(await screen.findByText('You can’t block yourself. Another admin can.')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Block User' }).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Fund Wallet' })).toBeNull();
});

test('says when nobody has the id, and when the person could not be loaded', async () => {
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => problem(404, 'account_not_found', 'There is no such person.'),
  ];
  const page = open({}, { [to(routes.account, of)]: () => answers.shift()!() });
  await page.user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('User not found')).toBeTruthy();
});
