import { beforeAll, describe, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { duties, type Duty } from '#contracts';
import { adminRoutes, routes } from '../../api';
import { useMay } from '../../features/duty';
import { PricesForm } from '../../features/prices';
import {
  accountOf,
  json,
  problem,
  renderApp,
  requestOf,
  secondFactorOf,
  serve,
  sessionOf,
  settingsOf,
  to,
} from '../../testing';
import { navigationOfAdmins, QuickActions } from '../shell';
import AdminFrame from './frame';
import FundRequests from './fund-requests';
import InvitationsScreen from './invitations';
import AdminScreen from './screens';
import Users from './users';

const { user: marta } = sessionOf('admin');
const page = (items: readonly unknown[]) => json({ items, first: 1, next: null, previous: null });

/** What the screens ask for, as the service has it. */
const service = {
  [to(adminRoutes.people)]: () => page([accountOf()]),
  [to(adminRoutes.invitations)]: () => page([]),
  [to(adminRoutes.settings)]: () => json(settingsOf()),
  [to(adminRoutes.fundRequests)]: () => page([requestOf()]),
  [to(adminRoutes.evidenceUses, { userId: 'amara', requestId: requestOf().id })]: () =>
    json({ items: [], hasMore: false }),
  [to(routes.file, { fileId: requestOf().evidence.fileId })]: () => new Response('%PDF'),
};

beforeAll(() => {
  Object.assign(URL, { createObjectURL: () => 'blob:evidence', revokeObjectURL: () => undefined });
});

function show(screenOf: ReactNode, duty: Duty) {
  serve(service);
  return renderApp(screenOf, { role: 'admin', duty });
}

describe('what an admin is shown', () => {
  test.each(duties)('as %s: only what begins something that they may do', (duty) => {
    const { begun, actions, others } = navigationOfAdmins(duty);
    const labels = [...begun, ...actions(marta), ...others(marta)].map(({ label }) => label);
    const isMoney = duty === 'owner' || duty === 'finance';
    const isPeople = duty === 'owner' || duty === 'support';
    expect(labels.includes('Fund Wallet')).toBe(isMoney);
    expect(labels.includes('Funding')).toBe(isMoney);
    expect(labels.includes('Create User')).toBe(isPeople);
    expect(labels.includes('Upload product')).toBe(isPeople);
    expect(labels).toEqual(
      expect.arrayContaining(['Manage Users', 'Withdrawals', 'Settings', 'Invitations']),
    );
  });

  test('follows from the duty that the service tells', async () => {
    serve({
      [to(routes.secondFactor)]: () => json(secondFactorOf()),
      [to(routes.me)]: () => json({ ...accountOf({ userId: 'marta', role: 'admin' }), duty: 'support' }),
    });
    renderApp(
      <AdminFrame>
        <QuickActions />
      </AdminFrame>,
      { role: 'admin' },
    );
    expect(await screen.findByRole('link', { name: 'Manage Users' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Funding' })).toBeNull();
  });

  test('is nothing as long as the service does not tell their duty, which can be asked for again', async () => {
    const me = { ...accountOf({ userId: 'marta', role: 'admin' }), duty: 'auditor' };
    const answers = [() => problem(503, 'unavailable', 'Later.'), () => json(me)];
    serve({
      [to(routes.secondFactor)]: () => json(secondFactorOf()),
      [to(routes.me)]: () => answers.shift()!(),
    });
    const { user } = renderApp(
      <AdminFrame>
        <QuickActions />
      </AdminFrame>,
      { role: 'admin' },
    );
    expect(await screen.findByText('This could not be loaded.')).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: 'Manage Users' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Funding' })).toBeNull();
  });

  test('is what an auditor may where no duty is said', () => {
    renderApp(<Acts />);
    expect(screen.getByText('only looks')).toBeTruthy();
  });
});

function Acts() {
  return useMay('decide on money') ? 'decides' : 'only looks';
}

describe('an auditor', () => {
  test('sees a request, and nothing to decide it with', async () => {
    const { user } = show(<FundRequests />, 'auditor');
    await user.click(await screen.findByRole('button', { name: /^View request of / }));
    expect(await screen.findByRole('dialog')).toBeTruthy();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('button', { name: /Confirm|Reject|Decide/ })).toBeNull();
  });

  test('sees people and invitations, and no way to make one', async () => {
    const { unmount } = show(<Users />, 'auditor');
    expect(await screen.findByRole('button', { name: 'View Amara Nwosu' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Create User' })).toBeNull();
    unmount();
    show(<InvitationsScreen />, 'auditor');
    expect(await screen.findByText('No logs available.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Issue a link' })).toBeNull();
  });

  test('reads a setting in a form that is off', async () => {
    show(<PricesForm />, 'auditor');
    const price = await screen.findByLabelText<HTMLInputElement>(/^BTC/);
    expect(price.closest('fieldset')?.disabled).toBe(true);
  });

  test('is told that a page is not open that does nothing but act', async () => {
    show(<AdminScreen name="createUser" />, 'auditor');
    await waitFor(() => expect(screen.getByText('Your account has no access to this page.')).toBeTruthy());
  });
});
