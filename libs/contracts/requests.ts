import type { z } from 'zod';
import { listQuery, pageOf, paymentCurrency } from './common.js';
import { openRequest } from './transactions.js';
import { anyRequest, requestStatus } from './wallet.js';

/** A request of any kind, with what all kinds have. */
export const listedRequest = anyRequest.extend({ kind: openRequest.shape.kind });
export type ListedRequest = z.infer<typeof listedRequest>;
export const requestPage = pageOf(listedRequest);
export type RequestPage = z.infer<typeof requestPage>;
export const requestQuery = listQuery.extend({
  kind: openRequest.shape.kind.optional(),
  status: requestStatus.optional(),
  currency: paymentCurrency.optional(),
});
