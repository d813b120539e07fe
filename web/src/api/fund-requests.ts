import { api } from './api';
import { mutation, query, routes } from './contract';
import { changed, row, rowsOf, whole } from './tags';

const fundRequests = api.injectEndpoints({
  endpoints: (build) => ({
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
  }),
});

export const { useOwnFundRequestsQuery, useUploadEvidenceMutation, useRequestFundingMutation } = fundRequests;
