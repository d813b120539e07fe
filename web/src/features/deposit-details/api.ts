import { adminRoutes, api, mutation, whole } from '../../api';

const depositDetails = api.injectEndpoints({
  endpoints: (build) => ({
    changeDepositDetails: mutation(build, adminRoutes.changeDepositDetails, {
      changes: () => [whole('settings')],
    }),
  }),
});

export const { useChangeDepositDetailsMutation } = depositDetails;
