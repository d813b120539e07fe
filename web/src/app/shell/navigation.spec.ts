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
  expect(labels(first?.places ?? [])).toEqual([
    'Dashboard',
    'User Management',
    'Funds Management',
    'Withdrawal',
    'Transfers',
  ]);
  expect(groups.map(({ title }) => title)).toEqual(['Audit', 'Platform', 'Operations', undefined]);
  expect(labels(groups.at(-1)?.places ?? [])).toEqual(['Settings']);
  const actions = ['Manage Users', 'All Transactions', 'Withdrawals', 'Funding', 'Settings'];
  expect(labels(navigation.actions(admin))).toEqual(actions);
  expect(labels(barOf(navigation, admin))).toEqual(actions.slice(0, 4));
});
