import { z } from 'zod';
import { currency, userId } from '../common.js';
import { account, adjustmentAnswer, adjustmentBody, prices, why, whyQuery } from '../wallet.js';
import { ofUser, type Route } from './route.js';

/** Balances, why they are what they are, and what admins book by hand. */
export const walletRoutes = {
  me: {
    method: 'GET',
    path: '/api/me',
    summary: 'The account of whoever is signed in',
    tag: 'Wallet',
    access: 'signed-in',
    status: 200,
    answer: account,
    failed: 'Error loading wallet data',
    errors: ['account_not_found'],
  },
  account: {
    method: 'GET',
    path: '/api/accounts/:userId',
    summary: 'An account with its balances',
    tag: 'Wallet',
    access: 'owner',
    params: ofUser,
    status: 200,
    answer: account,
    failed: 'Error loading wallet data',
    errors: ['account_not_found'],
  },
  why: {
    method: 'GET',
    path: '/api/accounts/:userId/why/:currency',
    summary: 'The events that made a balance, newest first, read from the log',
    tag: 'Wallet',
    access: 'owner',
    params: z.object({ userId, currency }),
    query: whyQuery,
    status: 200,
    answer: why,
    errors: ['account_not_found'],
  },
  prices: {
    method: 'GET',
    path: '/api/prices',
    summary: 'The prices in force',
    tag: 'Wallet',
    access: 'visitor',
    status: 200,
    answer: prices,
    errors: [],
  },
  adjustWallet: {
    method: 'POST',
    path: '/api/accounts/:userId/adjustments',
    summary: 'Credit or debit a wallet by hand',
    tag: 'Administration',
    access: 'admin',
    command: true,
    params: ofUser,
    body: adjustmentBody,
    status: 200,
    answer: adjustmentAnswer,
    errors: [
      'account_not_found',
      'account_closed',
      'not_a_customer',
      'amount_invalid',
      'insufficient_balance',
    ],
  },
} as const satisfies Record<string, Route>;
