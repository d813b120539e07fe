import { api } from './api';
import { adminRoutes, query } from './contract';
import { whole } from './tags';

const totals = api.injectEndpoints({
  endpoints: (build) => ({
    totals: query(build, adminRoutes.totals, { shows: () => [whole('totals')] }),
  }),
});

export const { useTotalsQuery } = totals;
