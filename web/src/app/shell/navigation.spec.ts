import { expect, test } from '@jest/globals';
import { sessionOf } from '../../testing';
import { barOf, placesOf, quickActionsOf } from './navigation';

const { user } = sessionOf('user');
const labels = (places: ReturnType<typeof barOf>) => places.map(({ label }) => label);

test('a customer has the places and actions of the product, in its order, with the statement and the history', () => {
  expect(labels(placesOf(user))).toEqual([
    'Dashboard',
    'Funding History',
    'Fund Account',
    'Withdrawal Request History',
    'Assets',
    'Statement',
    'Account History',
    'Settings',
    'Support',
  ]);
  // Logout is the eighth, and a button.
  const actions = ['Fund', 'Transfer', 'Withdraw', 'Transaction', 'Assets', 'Support', 'Settings'];
  expect(labels(quickActionsOf(user))).toEqual(actions);
  expect(labels(barOf(user))).toEqual(actions.slice(0, 4));
});

test('an admin’s bar begins at home while there are few actions', () => {
  expect(labels(barOf(sessionOf('admin').user))[0]).toBe('Dashboard');
});
