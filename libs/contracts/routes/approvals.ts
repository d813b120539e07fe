import { approvalAnswer, approvalPage, approvalQuery, neededAnswer, neededQuery } from '../approvals.js';
import { confirmation, rejection, type Route } from './route.js';

/** What waits for other admins, above the limits that are set. */
export const approvalRoutes = {
  approvals: {
    method: 'GET',
    path: '/api/approvals',
    summary: 'What admins approved or asked for and that waits for others; what runs out last comes first',
    tag: 'Administration',
    access: 'admin',
    may: 'read',
    stepUp: 'never',
    query: approvalQuery,
    status: 200,
    answer: approvalPage,
    errors: [],
  },
  approvalsNeeded: {
    method: 'GET',
    path: '/api/approvals/needed',
    summary: 'How many admins an amount takes, with what whoever asks has moved within 24 hours',
    tag: 'Administration',
    access: 'admin',
    may: 'read',
    stepUp: 'never',
    query: neededQuery,
    status: 200,
    answer: neededAnswer,
    errors: ['amount_invalid'],
  },
  approveAdjustment: {
    ...confirmation,
    path: '/api/accounts/:userId/adjustments/:requestId/approve',
    summary: 'Approve an adjustment that another admin asked for: the last approval that it takes books it',
    errors: [
      ...rejection.errors,
      'already_approved',
      'approval_expired',
      'amount_invalid',
      'insufficient_balance',
    ],
  },
  rejectAdjustment: {
    ...rejection,
    answer: approvalAnswer,
    path: '/api/accounts/:userId/adjustments/:requestId/reject',
    summary: 'Reject an adjustment that waits for other admins: nothing moves',
  },
} as const satisfies Record<string, Route>;
