import { adminRoutes, api, changed, mutation } from '../../api';
import { everyAdmin } from '../approvals';
import { ownDuty } from '../duty';

const admins = api.injectEndpoints({
  endpoints: (build) => ({
    changeDuty: mutation(build, adminRoutes.changeDuty, {
      changes: ({ userId }) => [everyAdmin, ownDuty, ...changed('accounts', userId)],
    }),
  }),
});

export const { useChangeDutyMutation } = admins;
