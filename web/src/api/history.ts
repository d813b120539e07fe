import { api } from './api';
import { query, routes } from './contract';
import { row } from './tags';

const histories = api.injectEndpoints({
  endpoints: (build) => ({
    accountEvents: query(build, routes.accountEvents, {
      shows: ({ userId }) => [row('accounts', userId)],
    }),
    /** What is known of a request of anybody's, by its first event; for admins. */
    requestEvents: query(build, routes.events, { shows: () => [] }),
  }),
});

export const { useAccountEventsQuery, useRequestEventsQuery } = histories;
