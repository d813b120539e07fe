import { adminRoutes, api, query } from '../../api';

/** What charts are drawn of. No live change tells of it: a page asks again by itself while it is looked at. */
const figures = api.injectEndpoints({
  endpoints: (build) => ({
    dailySums: query(build, adminRoutes.dailySums, { shows: () => [] }),
    requestsByAge: query(build, adminRoutes.requestsByAge, { shows: () => [] }),
    load: query(build, adminRoutes.load, { shows: () => [] }),
  }),
});

export const { useDailySumsQuery, useRequestsByAgeQuery, useLoadQuery } = figures;

/** How often what changes with requests and movements is asked for. */
export const nowAndThen = { pollingInterval: 60_000, skipPollingIfUnfocused: true } as const;
