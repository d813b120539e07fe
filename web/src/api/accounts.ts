import { api } from './api';
import { pagedQuery, query, routes } from './contract';
import { row } from './tags';

const accounts = api.injectEndpoints({
  endpoints: (build) => ({
    account: query(build, routes.account, { shows: ({ userId }) => [row('accounts', userId)] }),
    why: pagedQuery(build, routes.why, {
      next: ({ before }) => (before === null ? undefined : { before }),
      shows: ({ userId }) => [row('accounts', userId)],
    }),
    prices: query(build, routes.prices, { shows: () => [row('settings', 'prices')] }),
  }),
});

export const { useAccountQuery, useWhyInfiniteQuery, usePricesQuery } = accounts;
