import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { adminRoutes, routes, useSetAdminAccessMutation } from '../../api';
import { json, noSecondFactor, problem, renderApp, secondFactorOf, serve, to } from '../../testing';
import { AdminAccess } from '../admin-access';
import { StepUp } from '.';

/** A service that wants a proof before it changes anything; `right` is the proof that it takes. */
function service(right: object, factor: object) {
  const state = { isProved: false, isNeeded: false };
  const calls = serve({
    [to(routes.secondFactor)]: () => json(factor),
    [to(adminRoutes.settings)]: () =>
      json({ adminAccess: { needsSecondFactor: state.isNeeded }, lastChanges: { 'admin-access': null } }),
    [to(adminRoutes.stepUp)]: ({ body }) => {
      if (JSON.stringify(body) !== JSON.stringify({ proof: right }))
        return problem(403, 'second_factor_wrong', 'This code is not right.');
      state.isProved = true;
      return json({ provedUntil: '2026-05-03T09:05:00.000Z', message: 'Thank you' });
    },
    [to(adminRoutes.setAdminAccess)]: () => {
      if (!state.isProved) return problem(403, 'step_up_required', 'Please prove again that it is you.');
      state.isNeeded = true;
      return json({ position: '7', message: 'They do' });
    },
  });
  const keys = () =>
    calls
      .filter(({ name }) => name === to(adminRoutes.setAdminAccess))
      .map(({ headers }) => headers.get('idempotency-key'));
  return { keys, proofs: () => calls.filter(({ name }) => name === to(adminRoutes.stepUp)) };
}

/** Something that asks for two things at once. */
function Twice() {
  const [set] = useSetAdminAccessMutation();
  const [said, setSaid] = useState('');
  const both = async () => {
    const sent = ['one', 'two'].map((idempotencyKey) => set({ needsSecondFactor: true, idempotencyKey }));
    const outcomes = await Promise.all(sent);
    setSaid(outcomes.map(({ error }) => (error === undefined ? 'done' : 'refused')).join(', '));
  };
  return (
    <>
      <button onClick={() => void both()}>Both</button>
      <p>{said}</p>
    </>
  );
}

const show = async () => {
  const { user } = renderApp(
    <>
      <AdminAccess />
      <StepUp />
    </>,
    { role: 'admin' },
  );
  await user.click(await screen.findByRole('button', { name: 'Switch on' }));
  await screen.findByRole('dialog', { name: 'Is it you?' });
  return user;
};

test('what needs a fresh proof asks for a code, and goes on with the same key', async () => {
  const { keys } = service({ code: '123456' }, secondFactorOf());
  const user = await show();
  await user.click(screen.getByRole('button', { name: 'Go on' }));
  expect(await screen.findByText('Please enter the code.')).toBeTruthy();
  const code = screen.getByLabelText('Code of your authenticator app');
  await user.type(code, '000000');
  await user.click(screen.getByRole('button', { name: 'Go on' }));
  expect(await screen.findByText('This code is not right.')).toBeTruthy();
  await user.clear(code);
  await user.type(code, '123456');
  await user.click(screen.getByRole('button', { name: 'Go on' }));
  expect(await screen.findByText('They do')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  const [first, second] = keys();
  expect(keys()).toHaveLength(2);
  expect(first).toBe(second);
});

test('whoever cancels is told what the service said, and nothing is sent again', async () => {
  const { keys } = service({ code: '123456' }, secondFactorOf());
  const user = await show();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('Please prove again that it is you.')).toBeTruthy();
  expect(keys()).toHaveLength(1);
});

test('without app and passkey the password is asked for, and several calls wait for one proof', async () => {
  const { proofs } = service({ password: 'horse' }, noSecondFactor);
  const { user } = renderApp(
    <>
      <Twice />
      <StepUp />
    </>,
    { role: 'admin' },
  );
  await user.click(screen.getByRole('button', { name: 'Both' }));
  await user.type(await screen.findByLabelText('Your password'), 'horse');
  await user.click(screen.getByRole('button', { name: 'Go on' }));
  expect(await screen.findByText('done, done')).toBeTruthy();
  expect(proofs()).toHaveLength(1);
});
