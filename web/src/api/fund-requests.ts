import { api } from './api';
import { mutation, query, routes } from './contract';
import { changed, row, rowsOf, whole, type Tag } from './tags';

/** What a decision about a request touches: the request, whose it is, and the sums over all. */
function decided({
  userId,
  requestId,
}: {
  readonly userId: string;
  readonly requestId: string;
}): readonly Tag[] {
  return [...changed('requests', requestId), ...changed('accounts', userId), whole('totals')];
}

const fundRequests = api.injectEndpoints({
  endpoints: (build) => ({
    fundRequests: query(build, routes.fundRequests, {
      shows: (_filter, page) => rowsOf('requests', page?.items),
    }),
    ownFundRequests: query(build, routes.ownFundRequests, {
      shows: (_filter, page) => rowsOf('requests', page?.items),
    }),
    uploadEvidence: mutation(build, routes.uploadEvidence),
    requestFunding: mutation(build, routes.requestFunding, {
      // A customer's page knows one account, their own, whose id a request doesn't say.
      changes: (_body, answer) => [
        'accounts',
        ...(answer === undefined
          ? [whole('requests'), row('settings', 'deposit-details')]
          : changed('requests', answer.requestId)),
      ],
    }),
    confirmFunding: mutation(build, routes.confirmFunding, { changes: decided }),
    rejectFunding: mutation(build, routes.rejectFunding, { changes: decided }),
  }),
});

export const {
  useFundRequestsQuery,
  useOwnFundRequestsQuery,
  useUploadEvidenceMutation,
  useRequestFundingMutation,
  useConfirmFundingMutation,
  useRejectFundingMutation,
} = fundRequests;
