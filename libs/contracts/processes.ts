import { z } from 'zod';
import { accepted, decimal, instant, paymentCurrency, position, userId } from './common.js';

/** One run of a job. */
export const jobRun = z.object({
  id: z.string().meta({ description: 'The job and the moment that the run is for' }),
  slot: instant.meta({ description: 'The moment that the run is for' }),
  cause: z.enum(['schedule', 'hand']).meta({ description: 'Who asked for it' }),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  attempts: z.int().meta({ description: 'Begun so far' }),
  startedAt: instant.nullable().meta({ description: 'When the last attempt began' }),
  endedAt: instant.nullable(),
  report: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'What it did, in the job’s own words' }),
  error: z.string().nullable().meta({ description: 'What the last attempt failed with' }),
});
export type JobRunView = z.infer<typeof jobRun>;

/** Every recurring job: when it runs next, and its runs, newest first. */
export const jobs = z.object({
  items: z.array(
    z.object({
      kind: z.string().meta({ description: 'Name of the job' }),
      everySeconds: z.number(),
      nextAt: instant,
      runs: z.array(jobRun).meta({ description: 'The last ones, newest first' }),
    }),
  ),
});

export type JobList = z.infer<typeof jobs>;

/** The run that was asked for; it may not have ended. */
export const jobRunAnswer = z.object({ run: jobRun, message: accepted.shape.message });

/** What follows from the log by itself: how far each reactor is, and what it could not do. */
export const reactors = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      position: position.meta({ description: 'The last event that it has looked at' }),
      state: z
        .enum(['starting', 'current', 'behind', 'halted'])
        .meta({ description: 'halted: too much is parked; it reads on when some of that succeeds' }),
      secondsBehind: z.number(),
      owed: z.int().meta({ description: 'Events that are to be tried again' }),
      parked: z
        .array(
          z.object({
            position,
            stream: z.string(),
            type: z.string(),
            attempts: z.int(),
            error: z.string(),
            since: instant,
          }),
        )
        .meta({ description: 'Events that it could not act upon' }),
      failing: z.string().nullable().meta({ description: 'What an engine fails it with' }),
    }),
  ),
});

export type ReactorList = z.infer<typeof reactors>;

/** Transfers whose money has left the sender and has neither arrived nor come back for longer than it should. */
export const stalledTransfers = z.object({
  afterSeconds: z.int().meta({ description: 'How long is longer than it should' }),
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
