import { expect, test } from '@jest/globals';
import { sessionOf } from '../../testing';
import { barOf, ofCustomers, type Place } from './navigation';
import { navigationOfAdmins } from './navigation-of-admins';

const { user } = sessionOf('user');
const { user: admin } = sessionOf('admin');
const labels = (places: readonly Place[]) => places.map(({ label }) => label);

test('a customer has the places and actions of the product, in its order, with the statement and the history', () => {
  expect(ofCustomers.places(user).map(({ places }) => labels(places))).toEqual([
    [
      'Dashboard',
      'Funding History',
      'Fund Account',
      'Withdrawal Request History',
      'Assets',
      'Statement',
      'Account History',
      'Settings',
      'Support',
    ],
  ]);
  // Logout is the eighth, and a button.
  const actions = ['Fund', 'Transfer', 'Withdraw', 'Transaction', 'Assets', 'Support', 'Settings'];
  expect(labels(ofCustomers.actions(user))).toEqual(actions);
  expect(labels(barOf(ofCustomers, user))).toEqual(actions.slice(0, 4));
});

test('an admin has the places and actions of the product, and those of the back office behind them', () => {
  const navigation = navigationOfAdmins('owner');
  const [first, ...groups] = navigation.places(admin);
  const targets = (places: readonly Place[]) => places.map(({ label, to }) => [label, to]);
  const own = (kind: string) => `/${kind}-history/${admin.userId}`;
  expect(targets(first?.places ?? [])).toEqual([
    ['Dashboard', '/auth/dashboard'],
    ['User Management', '/auth/User/dashboard'],
    ['Funds Management', '/auth/transaction/dashboard'],
    ['Withdrawal', own('withdrawal-request')],
    ['Transfers', own('transfer')],
  ]);
  expect(groups.map(({ title }) => title)).toEqual(['Audit', 'Platform', 'Operations', undefined]);
  const settings = ['Settings', '/auth/account-setting/dashboard'];
  expect(targets(groups.at(-1)?.places ?? [])).toEqual([settings]);
  const actions = [
    ['Manage Users', '/auth/User/dashboard'],
    ['All Transactions', '/auth/transaction/dashboard'],
    ['Withdrawals', own('withdrawal-request')],
    ['Funding', '/auth/fund-account/dashboard'],
    settings,
  ];
  expect(targets(navigation.actions(admin))).toEqual(actions);
  expect(targets(barOf(navigation, admin))).toEqual(actions.slice(0, 4));
});
