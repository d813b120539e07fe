import { jobRunAnswer, jobs, reactors, stalledTransfers } from '../processes.js';
import { type Route } from './route.js';

/** What the program does by itself: jobs, reactors, and the transfers that they carry. */
export const processesRoutes = {
  jobs: {
    method: 'GET',
    path: '/api/jobs',
    summary: 'The recurring jobs: when each runs next, and what its last runs did',
    tag: 'Operations',
    access: 'admin',
    status: 200,
    answer: jobs,
    errors: ['unavailable'],
  },
  runBonusTick: {
    method: 'POST',
    path: '/api/jobs/bonus-tick/run',
    summary: 'Run the bonus tick now: whoever is due is paid, and nobody twice',
    tag: 'Administration',
    access: 'admin',
    status: 200,
    answer: jobRunAnswer,
    errors: ['overloaded', 'unavailable'],
  },
  reactors: {
    method: 'GET',
    path: '/api/reactors',
    summary: 'What follows from the log by itself: how far each reactor is, and what it could not do',
    tag: 'Operations',
    access: 'admin',
    status: 200,
    answer: reactors,
    errors: [],
  },
  retryReactors: {
    method: 'POST',
    path: '/api/reactors/retry',
    summary: 'Try everything again at once that reactors could not do',
    tag: 'Operations',
    access: 'admin',
    status: 200,
    answer: reactors,
    errors: [],
  },
  stalledTransfers: {
    method: 'GET',
    path: '/api/transfers/stalled',
    summary: 'Transfers that have been under way for longer than they should, oldest first',
    tag: 'Operations',
    access: 'admin',
    status: 200,
    answer: stalledTransfers,
    errors: [],
  },
} as const satisfies Record<string, Route>;
