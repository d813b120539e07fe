import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { json, problem, queryOf, renderApp, serve, to } from '../../testing';
import { MailList } from '.';

const mail = (mailId: string, more: object = {}) => ({
  mailId,
  userId: 'amara',
  kind: 'reset-password',
  to: `${mailId}@example.org`,
  state: 'queued',
  queuedAt: '2026-05-03T14:02:00.000Z',
  at: '2026-05-03T14:12:00.000Z',
  attempts: 2,
  failure: 'The server did not answer.',
  ...more,
});

test('lists mails with what became of them, and opens one', async () => {
  serve({
    [to(adminRoutes.mails)]: (call) =>
      queryOf(call).get('cursor') === null
        ? json({ items: [mail('first')], next: '5.ab' })
        : json({ items: [mail('second', { state: 'sent', failure: null })], next: null }),
  });
  const { user } = renderApp(<MailList />, { role: 'admin' });
  await user.click(await screen.findByRole('button', { name: 'View mail to first@example.org' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Mail' }));
  for (const text of ['Reset password', 'On its way', 'The server did not answer.', '2'])
    expect(dialog.getByText(text)).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByText('second@example.org')).toBeTruthy();
  expect(screen.getByText('Rows 11–11, newest first')).toBeTruthy();
});

test('says that there are none, and that they could not be loaded', async () => {
  let isAway = true;
  serve({
    [to(adminRoutes.mails)]: () =>
      isAway ? problem(503, 'unavailable', 'It is away.') : json({ items: [], next: null }),
  });
  const { user } = renderApp(<MailList />, { role: 'admin' });
  expect(await screen.findByText('It is away.')).toBeTruthy();
  isAway = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No logs available.')).toBeTruthy();
});
