import { api } from './api';
import { adminRoutes, mutation, query } from './contract';
import { whole } from './tags';

const settings = api.injectEndpoints({
  endpoints: (build) => ({
    settings: query(build, adminRoutes.settings, { shows: () => [whole('settings')] }),
    setAdminAccess: mutation(build, adminRoutes.setAdminAccess, { changes: () => [whole('settings')] }),
  }),
});

export const { useSetAdminAccessMutation, useSettingsQuery } = settings;
