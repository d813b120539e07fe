import { dailySums, dailySumsQuery, load, requestsByAge } from '../sums.js';
import type { Route } from './route.js';

/** What charts are drawn of. */
export const sumsRoutes = {
  dailySums: {
    method: 'GET',
    path: '/api/daily-sums',
    summary: 'What came in, went out and was held on each day, by currency, and the bonus expense',
    tag: 'Administration',
    access: 'admin',
    may: 'read',
    stepUp: 'as a file',
    query: dailySumsQuery,
    status: 200,
    answer: dailySums,
    files: ['text/csv'],
    errors: ['overloaded'],
  },
  requestsByAge: {
    method: 'GET',
    path: '/api/requests/by-age',
    summary: 'How many requests wait for a decision, by how long they have',
    tag: 'Administration',
    access: 'admin',
    may: 'read',
    stepUp: 'never',
    status: 200,
    answer: requestsByAge,
    errors: [],
  },
  load: {
    method: 'GET',
    path: '/api/system/load',
    summary: 'How many commands the program has answered since it began',
    tag: 'Operations',
    access: 'admin',
    may: 'read',
    stepUp: 'never',
    status: 200,
    answer: load,
    errors: [],
  },
} as const satisfies Record<string, Route>;
