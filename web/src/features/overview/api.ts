import { adminRoutes, api, query, routes } from '../../api';

const watched = api.injectEndpoints({
  endpoints: (build) => ({
    watchedModels: query(build, adminRoutes.projections, { shows: () => [] }),
    watchedJobs: query(build, adminRoutes.jobs, { shows: () => [] }),
    watchedHealth: query(build, routes.healthReady, { shows: () => [] }),
  }),
});

export const { useWatchedModelsQuery, useWatchedJobsQuery, useWatchedHealthQuery } = watched;
