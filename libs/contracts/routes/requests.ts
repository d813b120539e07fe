import { requestPage, requestQuery } from '../requests.js';
import type { Route } from './route.js';

/** Requests of all kinds together. */
export const requestRoutes = {
  requests: {
    method: 'GET',
    path: '/api/requests',
    summary: 'All requests of all kinds, newest first',
    tag: 'Administration',
    access: 'admin',
    may: 'read',
    stepUp: 'as a file',
    query: requestQuery,
    status: 200,
    answer: requestPage,
    files: ['text/csv'],
    errors: ['overloaded'],
  },
} as const satisfies Record<string, Route>;
