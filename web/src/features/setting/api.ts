import { adminRoutes, api, query, whole } from '../../api';

const settingHistories = api.injectEndpoints({
  endpoints: (build) => ({
    settingsHistory: query(build, adminRoutes.settingsHistory, { shows: () => [whole('settings')] }),
  }),
});

export const { useSettingsHistoryQuery } = settingHistories;
