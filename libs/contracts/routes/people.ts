import { accepted, reasonBody } from '../common.js';
import {
  personPage,
  personQuery,
  profileBody,
  profileImageBody,
  statusAnswer,
  walletAddressBody,
} from '../people.js';
import { ofUser, type Route } from './route.js';

/** What an admin decides about a person. */
const decision = {
  method: 'POST',
  tag: 'Administration',
  access: 'admin',
  command: true,
  params: ofUser,
  body: reasonBody,
  status: 200,
} as const;
const ofStatus = {
  ...decision,
  answer: statusAnswer,
  errors: ['account_not_found', 'account_closed'],
} as const;
const ofBonus = {
  ...decision,
  answer: accepted,
  errors: ['account_not_found', 'account_closed', 'not_a_customer'],
} as const;

/** People: who they are, whether they may come in, and their bonus cycles. */
export const peopleRoutes = {
  people: {
    method: 'GET',
    path: '/api/accounts',
    summary: 'All people, newest first, or those that a search finds',
    tag: 'Administration',
    access: 'admin',
    query: personQuery,
    status: 200,
    answer: personPage,
    files: ['text/csv'],
    errors: ['overloaded'],
  },
  suspend: {
    ...ofStatus,
    path: '/api/accounts/:userId/suspend',
    summary: 'Suspend or block a person: their sessions end at once',
    failed: 'Failed to block the user.',
  },
  activate: {
    ...ofStatus,
    path: '/api/accounts/:userId/activate',
    summary: 'Let a suspended person in again',
  },
  stopBonus: {
    ...ofBonus,
    path: '/api/accounts/:userId/bonus/stop',
    summary: 'Stop a customer’s bonus: all days of the cycle count as paid',
  },
  restartBonus: {
    ...ofBonus,
    path: '/api/accounts/:userId/bonus/restart',
    summary: 'Begin a new bonus cycle now',
  },
  changeProfile: {
    method: 'PUT',
    path: '/api/accounts/:userId/profile',
    summary: 'Change name or phone: only what is given and not empty',
    tag: 'Access',
    access: 'owner',
    command: true,
    params: ofUser,
    body: profileBody,
    status: 200,
    answer: accepted,
    failed: 'Failed to update user info.',
    errors: ['account_not_found', 'account_closed'],
  },
  changeProfileImage: {
    method: 'PUT',
    path: '/api/accounts/:userId/profile-image',
    summary: 'Show an image that was uploaded lately as the person’s own',
    tag: 'Access',
    access: 'self',
    command: true,
    params: ofUser,
    body: profileImageBody,
    status: 200,
    answer: accepted,
    failed: 'Failed to upload image.',
    errors: ['account_not_found', 'account_closed', 'file_not_found'],
  },
  saveWalletAddress: {
    method: 'PUT',
    path: '/api/accounts/:userId/wallet-address',
    summary: 'Save where withdrawals go',
    tag: 'Wallet',
    access: 'self',
    command: true,
    params: ofUser,
    body: walletAddressBody,
    status: 200,
    answer: accepted,
    failed: 'Error updating wallet address. Try again.',
    errors: ['account_not_found', 'account_closed'],
  },
} as const satisfies Record<string, Route>;
