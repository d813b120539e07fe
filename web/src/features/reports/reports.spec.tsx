import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { json, problem, renderApp, serve, to } from '../../testing';
import { DollarRateButton } from '../dollar-rate';
import { ReportHistory } from '.';

const report = {
  id: 'm'.repeat(35),
  created: '2026-05-03T14:02:00.000Z',
  isRead: false,
  userId: null,
  name: 'Vera Lind',
  email: 'vera@example.org',
  phone: '+41 44 000 00 00',
  businessType: 'Trade',
  subject: 'Fees',
  message: 'What does a withdrawal cost?',
  position: '7',
};

test('opens a message with all its fields, marks it read, and forgets it', async () => {
  let isRead = false;
  let isThere = true;
  const messageId = report.id;
  const calls = serve({
    [to(adminRoutes.messages)]: () =>
      json({ items: isThere ? [{ ...report, isRead }] : [], first: 1, next: null, previous: null }),
    [to(adminRoutes.readMessage, { messageId })]: () => {
      isRead = true;
      return json({ messageId, position: '8', message: 'Message marked as read.' });
    },
    [to(adminRoutes.forgetMessage, { messageId })]: () => {
      isThere = false;
      return json({ messageId, position: '9', message: 'Message forgotten.' });
    },
  });
  const { user } = renderApp(<ReportHistory beside={null} />, { role: 'admin' });
  await user.click(await screen.findByRole('button', { name: 'View message of Vera Lind' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Message' }));
  for (const text of ['vera@example.org', '+41 44 000 00 00', 'Trade', 'Fees', 'A visitor'])
    expect(dialog.getByText(text)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Mark as read' }));
  expect(await screen.findByText('Message marked as read.')).toBeTruthy();
  expect(await dialog.findByRole('button', { name: 'Mark as unread' })).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Forget' }));
  const act = within(await screen.findByRole('dialog', { name: 'Forget this message' }));
  await user.click(act.getByRole('button', { name: 'Forget for ever' }));
  expect(await screen.findByText('Message forgotten.')).toBeTruthy();
  expect(await screen.findByText('No logs available.')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

test('the dollar rate is shown, an empty one is ignored, and another one is set', async () => {
  let rate: string | null = null;
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => problem(422, 'setting_invalid', 'Please enter a rate above 0 and up to 1000000000.'),
    () => {
      rate = '0.925';
      return json({ position: '9', message: 'Dollar rate updated successfully.' });
    },
  ];
  const calls = serve({
    [to(adminRoutes.dollarRate)]: () =>
      json({ rate, message: rate === null ? 'No rate available. Please set one.' : null }),
    [to(adminRoutes.setDollarRate)]: () => answers.shift()!(),
  });
  const { user } = renderApp(<DollarRateButton />, { role: 'admin' });
  await user.click(screen.getByRole('button', { name: 'View Dollar Rate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Dollar Rate' }));
  expect(await dialog.findByText('No rate available. Please set one.')).toBeTruthy();
  const set = () => user.click(dialog.getByRole('button', { name: 'Set rate' }));
  await set();
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  await user.type(dialog.getByLabelText('New rate'), ' 0.925 ');
  await set();
  expect(await dialog.findByText('Please give a reason.')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  await user.type(dialog.getByLabelText('Reason'), ' The rate of the day ');
  for (const words of [
    'Failed to update dollar rate.',
    'Please enter a rate above 0 and up to 1000000000.',
    'Dollar rate updated successfully.',
  ]) {
    await set();
    expect(await screen.findByText(words)).toBeTruthy();
  }
  expect(await dialog.findByText('0.925')).toBeTruthy();
  const sent = calls.filter(({ method }) => method === 'PUT');
  expect(sent.map(({ body }) => body)).toEqual(
    Array(3).fill({ rate: '0.925', reason: 'The rate of the day' }),
  );
});
