import { createApi } from '@reduxjs/toolkit/query/react';
import { baseQuery } from './base-query';

/** How long an answer that no screen shows is kept, in seconds. */
const KEEP_UNUSED_S = 60;

/** The kinds of things that answers are about: the collections of the live stream, and the prices. */
export const EVERYTHING = [
  'accounts',
  'requests',
  'transfers',
  'transactions',
  'notifications',
  'totals',
  'settings',
  'messages',
  'products',
  'prices',
] as const;

/** The root that every group of endpoints is injected into: one cache of server data for the whole app. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: EVERYTHING,
  keepUnusedDataFor: KEEP_UNUSED_S,
  refetchOnReconnect: true,
  endpoints: () => ({}),
});
