import { adminRoutes, api, mutation } from '../../api';

export const { useStepUpMutation } = api.injectEndpoints({
  endpoints: (build) => ({ stepUp: mutation(build, adminRoutes.stepUp) }),
});
