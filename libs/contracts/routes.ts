import { z } from 'zod';
import type { ErrorCode } from '#kernel';
import { invitationAnswer, registerAnswer, registerBody, session, signedOut, signInBody } from './auth.js';
import { currency, fileId, requestId, userId } from './common.js';
import { health, projections } from './operations.js';
import {
  account,
  adjustmentAnswer,
  adjustmentBody,
  decisionAnswer,
  decisionBody,
  fileAnswer,
  fundRequestAnswer,
  fundRequestBody,
  fundRequestPage,
  fundRequestQuery,
  prices,
  totals,
  why,
  whyQuery,
} from './wallet.js';

/**
 * Who may call a route. `owner` is the customer whose `userId` is in the path, or any admin; `visitor` is everyone.
 * The server enforces it from this table and from nowhere else.
 */
export type Access = 'visitor' | 'signed-in' | 'user' | 'admin' | 'owner';

export type Route = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly tag: 'Access' | 'Wallet' | 'Requests' | 'Files' | 'Administration' | 'Operations';
  readonly access: Access;
  /** A command: needs an Idempotency-Key and answers with a position. */
  readonly command?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The media type of a body that is not JSON. */
  readonly upload?: 'multipart/form-data';
  readonly status: 200 | 201;
  readonly answer: z.ZodType | 'text/event-stream' | 'text/plain' | 'application/octet-stream';
  /** Codes beyond those that its access, its body and its being a command bring along. */
  readonly errors: readonly ErrorCode[];
};

const ofUser = z.object({ userId });
const ofRequest = z.object({ userId, requestId });

/** Every route of the API: the server, its access rules, the OpenAPI document and the tests are made from this table. */
export const routes = {
  register: {
    method: 'POST',
    path: '/api/auth/register',
    summary: 'Register a customer, or an admin with an invitation',
    tag: 'Access',
    access: 'visitor',
    body: registerBody,
    status: 201,
    answer: registerAnswer,
    errors: ['email_exists', 'invitation_invalid', 'account_not_found'],
  },
  signIn: {
    method: 'POST',
    path: '/api/auth/sign-in',
    summary: 'Sign in with e-mail and password',
    tag: 'Access',
    access: 'visitor',
    body: signInBody,
    status: 200,
    answer: session,
    errors: ['invalid_credentials', 'account_not_found', 'too_many_attempts'],
  },
  refresh: {
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Take a new access token for the refresh cookie, which is rotated',
    tag: 'Access',
    access: 'visitor',
    status: 200,
    answer: session,
    errors: ['token_missing', 'token_invalid', 'token_expired', 'account_not_found', 'too_many_attempts'],
  },
  signOut: {
    method: 'POST',
    path: '/api/auth/sign-out',
    summary: 'End this session',
    tag: 'Access',
    access: 'visitor',
    status: 200,
    answer: signedOut,
    errors: [],
  },
  me: {
    method: 'GET',
    path: '/api/me',
    summary: 'The account of whoever is signed in',
    tag: 'Wallet',
    access: 'signed-in',
    status: 200,
    answer: account,
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
  uploadEvidence: {
    method: 'POST',
    path: '/api/files',
    summary: 'Upload payment evidence: an image or a PDF, as the only file of the form',
    tag: 'Files',
    access: 'user',
    upload: 'multipart/form-data',
    status: 201,
    answer: fileAnswer,
    errors: ['file_missing', 'file_empty', 'file_type', 'file_too_large', 'storage_full'],
  },
  file: {
    method: 'GET',
    path: '/api/files/:fileId',
    summary: 'A file, to its owner and to admins; a PDF comes as an attachment',
    tag: 'Files',
    access: 'signed-in',
    params: z.object({ fileId }),
    status: 200,
    answer: 'application/octet-stream',
    errors: ['file_not_found'],
  },
  requestFunding: {
    method: 'POST',
    path: '/api/fund-requests',
    summary: 'Ask for the wallet to be funded',
    tag: 'Requests',
    access: 'user',
    command: true,
    body: fundRequestBody,
    status: 201,
    answer: fundRequestAnswer,
    errors: ['amount_invalid', 'evidence_missing'],
  },
  ownFundRequests: {
    method: 'GET',
    path: '/api/accounts/:userId/fund-requests',
    summary: 'A customer’s fund requests, newest first',
    tag: 'Requests',
    access: 'owner',
    params: ofUser,
    query: fundRequestQuery,
    status: 200,
    answer: fundRequestPage,
    errors: [],
  },
  fundRequests: {
    method: 'GET',
    path: '/api/fund-requests',
    summary: 'All fund requests, newest first',
    tag: 'Administration',
    access: 'admin',
    query: fundRequestQuery,
    status: 200,
    answer: fundRequestPage,
    errors: [],
  },
  confirmFunding: {
    method: 'POST',
    path: '/api/accounts/:userId/fund-requests/:requestId/confirm',
    summary: 'Confirm a fund request: the wallet and the currency’s balance go up together',
    tag: 'Administration',
    access: 'admin',
    command: true,
    params: ofRequest,
    body: decisionBody,
    status: 200,
    answer: decisionAnswer,
    errors: [
      'account_not_found',
      'request_not_found',
      'request_closed',
      'request_already_confirmed',
      'not_a_customer',
      'amount_invalid',
    ],
  },
  rejectFunding: {
    method: 'POST',
    path: '/api/accounts/:userId/fund-requests/:requestId/reject',
    summary: 'Reject a fund request: nothing moves',
    tag: 'Administration',
    access: 'admin',
    command: true,
    params: ofRequest,
    body: decisionBody,
    status: 200,
    answer: decisionAnswer,
    errors: [
      'account_not_found',
      'request_not_found',
      'request_closed',
      'request_already_confirmed',
      'not_a_customer',
    ],
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
    errors: ['account_not_found', 'not_a_customer', 'amount_invalid', 'insufficient_balance'],
  },
  inviteAdmin: {
    method: 'POST',
    path: '/api/invitations',
    summary: 'Issue a one-time invitation that makes an admin',
    tag: 'Administration',
    access: 'admin',
    status: 201,
    answer: invitationAnswer,
    errors: [],
  },
  totals: {
    method: 'GET',
    path: '/api/totals',
    summary: 'Counts and sums over all customers',
    tag: 'Administration',
    access: 'admin',
    status: 200,
    answer: totals,
    errors: [],
  },
  projections: {
    method: 'GET',
    path: '/api/projections',
    summary: 'How the read models stand against the log',
    tag: 'Operations',
    access: 'admin',
    status: 200,
    answer: projections,
    errors: [],
  },
  live: {
    method: 'GET',
    path: '/api/live',
    summary: 'Server-sent events: which documents changed, filtered to what the listener may see',
    tag: 'Operations',
    access: 'signed-in',
    status: 200,
    answer: 'text/event-stream',
    errors: [],
  },
  healthLive: {
    method: 'GET',
    path: '/health/live',
    summary: 'The process runs',
    tag: 'Operations',
    access: 'visitor',
    status: 200,
    answer: health,
    errors: [],
  },
  healthReady: {
    method: 'GET',
    path: '/health/ready',
    summary: 'The engines answer and the read models advance',
    tag: 'Operations',
    access: 'visitor',
    status: 200,
    answer: health,
    errors: ['unavailable'],
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Prometheus metrics',
    tag: 'Operations',
    access: 'visitor',
    status: 200,
    answer: 'text/plain',
    errors: [],
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
