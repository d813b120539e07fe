import { createApi } from '@reduxjs/toolkit/query/react';
import { baseQuery } from './base-query';
import { everything } from './tags';

/** How long an answer that no screen shows is kept, in seconds. */
const KEEP_UNUSED_S = 60;

/** The root that every group of endpoints is injected into: one cache of server data for the whole app. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: everything,
  keepUnusedDataFor: KEEP_UNUSED_S,
  refetchOnReconnect: true,
  endpoints: () => ({}),
});
