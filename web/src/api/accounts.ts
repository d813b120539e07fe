import type { AccountView, Currency, PricesView, Totals, Why } from '#contracts';
import { api } from './api';

const accounts = api.injectEndpoints({
  endpoints: (build) => ({
    account: build.query<AccountView, string>({
      query: (userId) => ({ path: `/api/accounts/${userId}` }),
      providesTags: (_answer, _error, id) => [{ type: 'accounts', id }],
    }),
    why: build.infiniteQuery<Why, { readonly userId: string; readonly currency: Currency }, number | null>({
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: (last) => last.before ?? undefined,
      },
      query: ({ queryArg: { userId, currency }, pageParam }) => ({
        path: `/api/accounts/${userId}/why/${currency}`,
        query: { before: pageParam ?? undefined },
      }),
      providesTags: (_answer, _error, { userId }) => [{ type: 'accounts', id: userId }],
    }),
    prices: build.query<PricesView['prices'], void>({
      query: () => ({ path: '/api/prices' }),
      transformResponse: (answer: PricesView) => answer.prices,
      providesTags: ['prices'],
    }),
    totals: build.query<Totals, void>({
      query: () => ({ path: '/api/totals' }),
      providesTags: ['totals'],
    }),
  }),
});

export const { useAccountQuery, useWhyInfiniteQuery, usePricesQuery, useTotalsQuery } = accounts;
