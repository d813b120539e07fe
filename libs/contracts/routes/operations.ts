import { health, projections } from '../operations.js';
import { totals } from '../wallet.js';
import { type Route } from './route.js';

/** Health, metrics, totals, read models, live updates. */
export const operationsRoutes = {
  totals: {
    method: 'GET',
    path: '/api/totals',
    summary: 'Counts and sums over all customers',
    tag: 'Administration',
    access: 'admin',
    status: 200,
    answer: totals,
    errors: [],
  },
  projections: {
    method: 'GET',
    path: '/api/projections',
    summary: 'How the read models stand against the log',
    tag: 'Operations',
    access: 'admin',
    status: 200,
    answer: projections,
    errors: [],
  },
  live: {
    method: 'GET',
    path: '/api/live',
    summary: 'Server-sent events: which documents changed, filtered to what the listener may see',
    tag: 'Operations',
    access: 'signed-in',
    status: 200,
    answer: 'text/event-stream',
    errors: [],
  },
  healthLive: {
    method: 'GET',
    path: '/health/live',
    summary: 'The process runs',
    tag: 'Operations',
    access: 'visitor',
    status: 200,
    answer: health,
    errors: [],
  },
  healthReady: {
    method: 'GET',
    path: '/health/ready',
    summary: 'The engines answer and the read models advance',
    tag: 'Operations',
    access: 'visitor',
    status: 200,
    answer: health,
    errors: ['unavailable'],
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Prometheus metrics',
    tag: 'Operations',
    access: 'visitor',
    status: 200,
    answer: 'text/plain',
    errors: [],
  },
} as const satisfies Record<string, Route>;
