import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { Duty } from '#contracts';
import { adminRoutes } from '../../api';
import { json, problem, renderApp, serve, to } from '../../testing';
import { Admins } from '.';

const marta = {
  userId: 'marta',
  name: 'Marta Okafor',
  email: 'marta@example.com',
  status: 'active',
  duty: 'owner',
  hasSecondFactor: true,
  signedInAt: '2026-05-03T08:52:00.000Z',
};
const eve = {
  ...marta,
  userId: 'eve',
  name: 'Eve Miller',
  email: 'eve@example.com',
  status: 'suspended',
  duty: 'support',
  hasSecondFactor: false,
  signedInAt: null,
};
const answer = { position: '9', userId: 'eve', duty: 'auditor', message: 'It is auditor from now on.' };

function open(duty: Duty, change = () => json(answer)) {
  const opened: string[] = [];
  const calls = serve({
    [to(adminRoutes.admins)]: () => json({ admins: [marta, eve] }),
    [to(adminRoutes.changeDuty, { userId: 'eve' })]: change,
    [to(adminRoutes.changeDuty, { userId: 'marta' })]: change,
  });
  const { user } = renderApp(<Admins onOpen={(userId) => opened.push(userId)} />, { role: 'admin', duty });
  return { calls, opened, user };
}

/** Fills in the dialog about somebody, and sends it. */
async function change(user: ReturnType<typeof open>['user'], name: string, duty: Duty) {
  await user.click(await screen.findByRole('button', { name: `Change duty of ${name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: `Change the duty of ${name}` }));
  const send = dialog.getByRole<HTMLButtonElement>('button', { name: 'Change duty' });
  expect(send.disabled).toBe(true);
  await user.selectOptions(dialog.getByLabelText('Duty'), duty);
  await user.click(send);
  expect(await dialog.findByText('Please give a reason.')).toBeTruthy();
  await user.type(dialog.getByLabelText('Reason'), 'Moved on');
  await user.click(send);
}

test('says who the admins are, and leads to each', async () => {
  const { opened, user } = open('owner');
  const table = await screen.findByRole('table', { name: 'Admins' });
  await within(table).findByText('Marta Okafor');
  expect(within(table).getByRole('columnheader', { name: 'Newest session' })).toBeTruthy();
  const rows = within(table).getAllByRole('row');
  const [, first, second] = rows.map(({ textContent }) => textContent);
  expect(first).toMatch(/Marta Okaforyou.*marta@example\.com.*On.*Owner/);
  expect(second).toMatch(/Eve Millersuspended.*None.*Signed in nowhere.*Support/);
  await user.click(screen.getByRole('button', { name: 'View Eve Miller' }));
  expect(opened).toEqual(['eve']);
});

test('an owner changes a duty with a reason', async () => {
  const { calls, user } = open('owner');
  await change(user, 'Eve Miller', 'auditor');
  expect(await screen.findByText(answer.message)).toBeTruthy();
  const sent = calls.find(({ name }) => name === to(adminRoutes.changeDuty, { userId: 'eve' }));
  expect(sent?.body).toEqual({ duty: 'auditor', reason: 'Moved on' });
});

test('a refusal is said in the service’s words', async () => {
  const detail = 'This is the only owner who may come in. Please make another admin an owner first.';
  const { user } = open('owner', () => problem(403, 'not_permitted', detail));
  await change(user, 'Marta Okafor', 'support');
  expect(await screen.findByText(detail)).toBeTruthy();
});

test.each<Duty>(['finance', 'support', 'auditor'])('%s looks, and changes nothing', async (duty) => {
  open(duty);
  await screen.findByRole('button', { name: 'View Eve Miller' });
  expect(screen.queryByRole('button', { name: /Change duty/ })).toBeNull();
});
