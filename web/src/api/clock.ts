import { api } from './api';
import { query, routes } from './contract';

const clock = api.injectEndpoints({
  endpoints: (build) => ({ clock: query(build, routes.clock, { shows: () => [] }) }),
});

export const { useClockQuery } = clock;
