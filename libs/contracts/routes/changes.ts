import { z } from 'zod';
import { changeDecision, changePage, changeQuery } from '../changes.js';
import { reasonBody, requestId } from '../common.js';
import type { Route } from './route.js';

const decision = {
  method: 'POST',
  tag: 'Administration',
  access: 'admin',
  // Whoever may decide on money may make some of these changes; which, each change says for itself.
  may: 'decide on money',
  stepUp: 'always',
  command: true,
  params: z.object({ changeId: requestId }),
  body: reasonBody,
  status: 200,
  answer: changeDecision,
} as const;

/** What takes a second admin, whatever its size. */
export const changeRoutes = {
  changes: {
    method: 'GET',
    path: '/api/changes',
    summary:
      'Changes of deposit addresses, prices, dollar rate, bonus policy, limits, duties and bonus cycles that wait for a second ' +
      'admin; what runs out last comes first',
    tag: 'Administration',
    access: 'admin',
    may: 'read',
    stepUp: 'never',
    query: changeQuery,
    status: 200,
    answer: changePage,
    errors: [],
  },
  approveChange: {
    ...decision,
    path: '/api/changes/:changeId/approve',
    summary: 'Approve a change that another admin asked for: it is made at once',
    failed: 'Failed to approve the transaction.',
    errors: [
      'request_not_found',
      'request_closed',
      'own_request',
      'approval_expired',
      'setting_invalid',
      'amount_invalid',
      'account_not_found',
      'account_closed',
      'account_suspended',
      'not_a_customer',
    ],
  },
  rejectChange: {
    ...decision,
    path: '/api/changes/:changeId/reject',
    summary: 'Reject a change that waits for a second admin, or take it back: nothing changes',
    failed: 'Failed to reject the transaction.',
    errors: ['request_not_found', 'request_closed'],
  },
} as const satisfies Record<string, Route>;
