import { adminRoutes, api, mutation, whole } from '../../api';

const limits = api.injectEndpoints({
  endpoints: (build) => ({
    setApprovalLimits: mutation(build, adminRoutes.setApprovalLimits, {
      changes: () => [whole('settings'), whole('approvals')],
    }),
  }),
});

export const { useSetApprovalLimitsMutation } = limits;
