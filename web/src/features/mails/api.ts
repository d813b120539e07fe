import { adminRoutes, api, query, whole } from '../../api';

const mailLists = api.injectEndpoints({
  endpoints: (build) => ({
    mails: query(build, adminRoutes.mails, { shows: () => [whole('notifications')] }),
  }),
});

export const { useMailsQuery } = mailLists;
