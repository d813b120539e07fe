import { adminRoutes, api, mutation, query, whole } from '../../api';

const bonusPolicies = api.injectEndpoints({
  endpoints: (build) => ({
    setBonusPolicy: mutation(build, adminRoutes.setBonusPolicy, { changes: () => [whole('settings')] }),
    bonusPreview: query(build, adminRoutes.bonusPreview, {
      shows: () => [whole('settings'), whole('accounts')],
    }),
  }),
});

export const { useBonusPreviewQuery, useSetBonusPolicyMutation } = bonusPolicies;
