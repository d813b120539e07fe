import { api } from './api';
import { query, routes } from './contract';
import { row } from './tags';

const histories = api.injectEndpoints({
  endpoints: (build) => ({
    accountEvents: query(build, routes.accountEvents, {
      shows: ({ userId }) => [row('accounts', userId)],
    }),
  }),
});

export const { useAccountEventsQuery } = histories;
