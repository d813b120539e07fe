import { expect, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { NotificationView } from '#contracts';
import { routes } from '../../api';
import { accountOf, json, problem, renderApp, serve, to } from '../../testing';
import { forgetTold, notifyError, notifySuccess } from '../../ui';
import { NotificationBell } from './bell';

const of = { userId: 'amara' };
const told = (position: string, sentence: string, reason: string | null = null): NotificationView => ({
  id: `event-${position}`,
  kind: 'FundingConfirmed',
  sentence,
  reason,
  amount: '100.00',
  currency: 'BTC',
  requestId: null,
  created: new Date(Date.now() - 3 * 60_000).toISOString(),
  position,
});
const page = (items: readonly NotificationView[], next: string | null = null) =>
  json({ items, first: 1, next, previous: null });
const list = to(routes.notifications, of);
const mark = to(routes.readNotifications, of);
const marked = () => json({ position: '50', message: 'Notifications marked as read.' });

test('the bell counts what came after the mark, and opening tells the server up to where it was read', async () => {
  const items = [told('100', 'Third.', 'As agreed.'), told('42', 'Second.'), told('9', 'First.')];
  const calls = serve({ [list]: () => page(items), [mark]: marked });
  const { user } = renderApp(<NotificationBell account={accountOf({ notificationsRead: '9' })} />);
  await user.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }));
  const dialog = await screen.findByRole('dialog', { name: 'Notifications' });
  const rows = await within(dialog).findAllByRole('listitem');
  expect(rows.map((row) => row.dataset['unread'])).toEqual(['true', 'true', 'false']);
  expect(rows[0]?.textContent).toBe('Unread: Third.As agreed.3 minutes ago');
  expect(rows[0]?.querySelector('time')?.dateTime).toBe(items[0]?.created);
  await waitFor(() => expect(calls.filter(({ name }) => name === mark)).toHaveLength(1));
  expect(calls.find(({ name }) => name === mark)?.body).toEqual({ position: '100' });
});

test('a security notice reads as any other, unread until it was seen, and without an amount', async () => {
  const guard = (kind: string, position: string, sentence: string): NotificationView => ({
    ...told(position, sentence),
    kind,
    amount: null,
    currency: null,
  });
  const items = [
    guard('SignedIn', '30', 'Somebody signed in as you from a network where you never did.'),
    guard('SecondFactorChanged', '20', 'The second factor of your account was removed.'),
    guard('EmailChanged', '10', 'Your e-mail address was changed.'),
  ];
  serve({ [list]: () => page(items), [mark]: marked });
  const { user } = renderApp(<NotificationBell account={accountOf({ notificationsRead: '10' })} />);
  await user.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }));
  const rows = within(await screen.findByRole('dialog')).findAllByRole('listitem');
  expect((await rows).map((row) => [row.dataset['unread'], row.textContent])).toEqual([
    ['true', 'Unread: Somebody signed in as you from a network where you never did.3 minutes ago'],
    ['true', 'Unread: The second factor of your account was removed.3 minutes ago'],
    ['false', 'Your e-mail address was changed.3 minutes ago'],
  ]);
});

test('what this page said in passing can be read again, newest first, until somebody else is there', async () => {
  serve({ [list]: () => page([told('9', 'First.')]) });
  const { user } = renderApp(<NotificationBell account={accountOf({ notificationsRead: '9' })} />);
  act(() => {
    notifySuccess('User info updated successfully!');
    notifyError('Something went wrong.');
  });
  await user.click(await screen.findByRole('button', { name: 'Notifications' }));
  const said = within(await screen.findByRole('region', { name: 'Said since this page was opened' }));
  expect(said.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Something went wrong.Just now',
    'User info updated successfully!Just now',
  ]);
  act(() => forgetTold());
  expect(screen.queryByRole('region', { name: 'Said since this page was opened' })).toBeNull();
});

test('nothing is marked when nothing is new', async () => {
  const calls = serve({ [list]: () => page([told('9', 'First.')]) });
  const { user } = renderApp(<NotificationBell account={accountOf({ notificationsRead: '9' })} />);
  await user.click(await screen.findByRole('button', { name: 'Notifications' }));
  await screen.findByText('First.');
  expect(calls.map(({ name }) => name)).toEqual([list]);
});

test('a full page of unread ones may have more behind it, which can be had', async () => {
  const answers = [page([told('9', 'Newer.')], 'abc'), page([told('8', 'Older.')])];
  serve({ [list]: () => answers.shift()!, [mark]: marked });
  const { user } = renderApp(<NotificationBell account={accountOf()} />);
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1+ unread' }));
  await user.click(await screen.findByRole('button', { name: 'Show older' }));
  expect(await screen.findByText('Older.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull();
});

test('says that there is nothing, or that it could not be loaded', async () => {
  let works = false;
  serve({ [list]: () => (works ? page([]) : problem(503, 'unavailable', 'Later.')) });
  const { user } = renderApp(<NotificationBell account={accountOf()} />);
  await user.click(await screen.findByRole('button', { name: 'Notifications' }));
  const retry = await screen.findByRole('button', { name: 'Retry' });
  works = true;
  await user.click(retry);
  expect(await screen.findByText('Nothing yet.')).toBeTruthy();
});
