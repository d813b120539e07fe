import type {
  DecisionAnswer,
  FileAnswer,
  FundRequestAnswer,
  FundRequestBody,
  FundRequestPage,
  PaymentCurrency,
  RequestStatus,
} from '#contracts';
import { api } from './api';

/** Whose requests, which of them, and from where; without a `userId` everybody's, which only admins may ask. */
export type FundRequestFilter = {
  readonly userId?: string | undefined;
  readonly status?: RequestStatus | undefined;
  readonly currency?: PaymentCurrency | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
};

export type Decision = {
  readonly verdict: 'confirm' | 'reject';
  readonly userId: string;
  readonly requestId: string;
  readonly reason?: string;
  readonly idempotencyKey: string;
};

/** The tag of every list of requests: a request that is new to a list can only be known by asking the list again. */
export const REQUEST_LISTS = { type: 'requests', id: 'LISTS' } as const;

const fundRequests = api.injectEndpoints({
  endpoints: (build) => ({
    fundRequests: build.query<FundRequestPage, FundRequestFilter>({
      query: ({ userId, ...query }) => ({
        path: userId === undefined ? '/api/fund-requests' : `/api/accounts/${userId}/fund-requests`,
        query,
      }),
      providesTags: [REQUEST_LISTS],
    }),
    uploadEvidence: build.mutation<FileAnswer, File>({
      query: (file) => {
        const body = new FormData();
        body.set('file', file);
        return { path: '/api/files', body };
      },
    }),
    requestFunding: build.mutation<FundRequestAnswer, FundRequestBody & { readonly idempotencyKey: string }>({
      query: ({ idempotencyKey, ...body }) => ({ path: '/api/fund-requests', body, idempotencyKey }),
      invalidatesTags: [REQUEST_LISTS, 'accounts'],
    }),
    decideFunding: build.mutation<DecisionAnswer, Decision>({
      query: ({ verdict, userId, requestId, reason, idempotencyKey }) => ({
        path: `/api/accounts/${userId}/fund-requests/${requestId}/${verdict}`,
        body: reason === undefined ? {} : { reason },
        idempotencyKey,
      }),
      // Also after a refusal: it says that what the screen shows is no longer so.
      invalidatesTags: [REQUEST_LISTS, 'accounts', 'totals'],
    }),
  }),
});

export const {
  useFundRequestsQuery,
  useUploadEvidenceMutation,
  useRequestFundingMutation,
  useDecideFundingMutation,
} = fundRequests;
