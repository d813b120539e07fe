import { adminRoutes, api, mutation, whole } from '../../api';

const prices = api.injectEndpoints({
  endpoints: (build) => ({
    setPrices: mutation(build, adminRoutes.setPrices, { changes: () => [whole('settings')] }),
  }),
});

export const { useSetPricesMutation } = prices;
