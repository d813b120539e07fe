import {
  bulkAdjustmentsAnswer,
  bulkAdjustmentsBody,
  bulkDecisionsAnswer,
  bulkDecisionsBody,
} from '../bulk.js';
import { BULK_BODY_BYTES_MAX } from '../limits.js';
import type { Route } from './route.js';

/** Many commands in one request, each with a key and an answer of its own. */
export const bulkRoutes = {
  adjustWallets: {
    method: 'POST',
    path: '/api/bulk/adjustments',
    summary: 'Credit or debit up to 1,000 wallets by hand, each item with its own idempotency key',
    tag: 'Administration',
    access: 'admin',
    may: 'decide on money',
    stepUp: 'always',
    body: bulkAdjustmentsBody,
    bodyBytesMax: BULK_BODY_BYTES_MAX,
    status: 200,
    answer: bulkAdjustmentsAnswer,
    errors: [],
  },
  decideRequests: {
    method: 'POST',
    path: '/api/bulk/decisions',
    summary: 'Confirm, or reject, up to 100 requests of any kinds, each item with its own idempotency key',
    tag: 'Administration',
    access: 'admin',
    may: 'decide on money',
    stepUp: 'always',
    body: bulkDecisionsBody,
    status: 200,
    answer: bulkDecisionsAnswer,
    errors: [],
  },
} as const satisfies Record<string, Route>;
