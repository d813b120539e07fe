import { api } from './api';
import { adminRoutes, query } from './contract';

const events = api.injectEndpoints({
  endpoints: (build) => ({
    /** What is known of a request of anybody's, by its first event. */
    requestEvents: query(build, adminRoutes.events, { shows: () => [] }),
  }),
});

export const { useRequestEventsQuery } = events;
