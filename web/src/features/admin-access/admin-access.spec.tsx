import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { adminRoutes, routes } from '../../api';
import { json, noSecondFactor, problem, renderApp, secondFactorOf, serve, to } from '../../testing';
import { AdminAccess } from '.';

const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });

/** The settings, and one's own second factor, as the service has them. */
function service({ hasFactor, set }: { readonly hasFactor: boolean; readonly set?: () => Response }) {
  const state = { needsSecondFactor: false };
  const change = { at: '2026-05-03T09:00:00.000Z', by: 'Marta Okafor' };
  const calls = serve({
    [to(routes.secondFactor)]: () => json(hasFactor ? secondFactorOf() : noSecondFactor),
    [to(adminRoutes.settings)]: () =>
      json({
        adminAccess: { ...state },
        lastChanges: { 'admin-access': state.needsSecondFactor ? change : null },
      }),
    [to(adminRoutes.setAdminAccess)]: ({ body }) => {
      const refused = set?.();
      if (refused !== undefined) return refused;
      Object.assign(state, body);
      return json({ position: '7', message: state.needsSecondFactor ? 'They do' : 'They do not' });
    },
  });
  return calls;
}

test('an admin who has one switches it on and off, each a command of its own', async () => {
  const calls = service({ hasFactor: true });
  const { user } = renderApp(<AdminAccess />, { role: 'admin' });
  expect(await screen.findByText(/^Off\. Each admin chooses\./)).toBeTruthy();
  await user.click(await button('Switch on'));
  expect(await screen.findByText('They do')).toBeTruthy();
  expect(await screen.findByText(/^Last changed by Marta Okafor, /)).toBeTruthy();
  await user.click(await button('Switch off'));
  expect(await screen.findByText('They do not')).toBeTruthy();
  await button('Switch on');
  const sent = calls.filter(({ name }) => name === to(adminRoutes.setAdminAccess));
  expect(sent.map(({ body }) => body)).toEqual([{ needsSecondFactor: true }, { needsSecondFactor: false }]);
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2);
});

test('an admin who has none is told why they can’t switch it on', async () => {
  service({ hasFactor: false });
  renderApp(<AdminAccess />, { role: 'admin' });
  expect((await button('Switch on')).disabled).toBe(true);
  expect(screen.getByText('Set up your own second factor first: this would keep you out, too.')).toBeTruthy();
});

test('a refusal is said in the service’s words, and changes nothing', async () => {
  const detail = 'Please set up your own second factor first.';
  service({ hasFactor: true, set: () => problem(409, 'second_factor_missing', detail) });
  const { user } = renderApp(<AdminAccess />, { role: 'admin' });
  await user.click(await button('Switch on'));
  expect(await screen.findByText(detail)).toBeTruthy();
  expect((await button('Switch on')).disabled).toBe(false);
});
