import { z } from 'zod';
import { decimal, instant, paymentCurrency, position, userId } from './common.js';

/** One run of a job. Its report is in the job's own words. */
const jobRun = z.object({
  id: z.string().meta({ description: 'The job and the moment that the run is for' }),
  slot: instant.meta({ description: 'The moment that the run is for' }),
  cause: z.enum(['schedule', 'hand']),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  attempts: z.int(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  report: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
});
export type JobRunView = z.infer<typeof jobRun>;

/** Every recurring job: when it runs next, and its runs, newest first. */
export const jobs = z.object({
  items: z.array(
    z.object({
      kind: z.string(),
      everySeconds: z.number(),
      nextAt: instant,
      runs: z.array(jobRun),
    }),
  ),
});

/** The run that was asked for; it may not have ended. */
export const jobRunAnswer = z.object({ run: jobRun, message: z.string() });

/** What follows from the log by itself: how far each reactor is, and what it could not do. */
export const reactors = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      position,
      state: z.enum(['starting', 'current', 'behind', 'halted']),
      secondsBehind: z.number(),
      owed: z.int().meta({ description: 'Events that are to be tried again' }),
      parked: z.array(
        z.object({
          position,
          stream: z.string(),
          type: z.string(),
          attempts: z.int(),
          error: z.string(),
          since: instant,
        }),
      ),
      failing: z.string().nullable().meta({ description: 'What an engine fails it with' }),
    }),
  ),
});

/** Transfers whose money has left the sender and has neither arrived nor come back for longer than it should. */
export const stalledTransfers = z.object({
  afterSeconds: z.int(),
  items: z.array(
    z.object({
      requestId: z.string(),
      from: userId,
      to: userId,
      amount: decimal,
      currency: paymentCurrency,
      since: instant,
    }),
  ),
});
