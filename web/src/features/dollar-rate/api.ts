import { adminRoutes, api, mutation, query, whole } from '../../api';

const dollarRates = api.injectEndpoints({
  endpoints: (build) => ({
    dollarRate: query(build, adminRoutes.dollarRate, { shows: () => [whole('settings')] }),
    setDollarRate: mutation(build, adminRoutes.setDollarRate, { changes: () => [whole('settings')] }),
  }),
});

export const { useDollarRateQuery, useSetDollarRateMutation } = dollarRates;
