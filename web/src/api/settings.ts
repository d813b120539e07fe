import { api } from './api';
import { mutation, query, routes } from './contract';
import { whole } from './tags';

const settings = api.injectEndpoints({
  endpoints: (build) => ({
    settings: query(build, routes.settings, { shows: () => [whole('settings')] }),
    setAdminAccess: mutation(build, routes.setAdminAccess, { changes: () => [whole('settings')] }),
  }),
});

export const { useSetAdminAccessMutation, useSettingsQuery } = settings;
