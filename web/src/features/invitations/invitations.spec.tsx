import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { InvitationView } from '#contracts';
import { adminRoutes } from '../../api';
import { json, problem, renderApp, serve, to } from '../../testing';
import { Invitations } from '.';

const by = (name: string) => ({ userId: name.toLowerCase(), name });
const at = '2026-05-03T08:52:00.000Z';
const invitation = (id: string, more: Partial<InvitationView>): InvitationView => ({
  id,
  created: at,
  duty: 'support',
  expiresAt: '2026-05-04T08:52:00.000Z',
  issuedBy: by(id),
  state: 'open',
  end: null,
  position: '9',
  ...more,
});
const items = [
  invitation('Ada', {}),
  invitation('Bob', { state: 'unfinished', end: { at, by: { userId: 'x', name: 'Unknown' } } }),
  invitation('Eve', { state: 'accepted', end: { at, by: by('Marta') } }),
  invitation('Kim', { state: 'revoked', end: { at, by: by('Marta'), reason: 'Left.' } }),
  invitation('Zoe', { state: 'expired' }),
];

function open(answer: () => Response) {
  const calls = serve({
    [to(adminRoutes.invitations)]: () => json({ items, first: 1, next: null, previous: null }),
    [to(adminRoutes.revokeInvitation, { invitationId: 'Bob' })]: answer,
  });
  return { calls, ...renderApp(<Invitations />, { role: 'admin', duty: 'owner' }) };
}

test('says what became of each, and revokes those that can still make an admin', async () => {
  open(() => json({ position: '10', invitationId: 'Bob', message: 'Invitation revoked' }));
  expect(await screen.findByText(/Accepted, without an account so far/)).toBeTruthy();
  expect(screen.queryByText(/Unknown/)).toBeNull();
  expect(screen.getByText(/Accepted by Marta/)).toBeTruthy();
  expect(screen.getByText(/Revoked by Marta/)).toBeTruthy();
  const buttons = screen.getAllByRole<HTMLButtonElement>('button', { name: /^Revoke the invitation by/ });
  expect(buttons.map(({ disabled }) => disabled)).toEqual([false, false, true, true, true]);
});

test('one whose registration was cut off is revoked with a reason, and a refusal is said', async () => {
  const answers = [
    problem(409, 'invitation_used', 'This invitation was used already.'),
    json({ position: '10', invitationId: 'Bob', message: 'Invitation revoked' }),
  ];
  const { calls, user } = open(() => answers.shift() ?? json({}));
  await user.click(await screen.findByRole('button', { name: 'Revoke the invitation by Bob' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the invitation' }));
  await user.type(dialog.getByLabelText('Reason'), 'Never came');
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('This invitation was used already.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Invitation revoked')).toBeTruthy();
  const sent = calls.filter(({ method }) => method !== 'GET');
  expect(sent.map(({ body }) => body)).toEqual([{ reason: 'Never came' }, { reason: 'Never came' }]);
});
