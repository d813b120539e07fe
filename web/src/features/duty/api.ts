import { api, query, routes, row } from '../../api';

/** One's own duty, which no account is called. */
export const ownDuty = row('accounts', 'own-duty');

const duty = api.injectEndpoints({
  endpoints: (build) => ({
    me: query(build, routes.me, { shows: () => [ownDuty] }),
  }),
});

export const { useMeQuery } = duty;
