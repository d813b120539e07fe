import { z } from 'zod';
import { BONUS_POLICY_LIMITS } from '#ledger';
import {
  accepted,
  decimal,
  instant,
  pageOf,
  pageQuery,
  paymentCurrency,
  position,
  reason,
  userId,
} from './common.js';
import { bonusPolicy } from './settings.js';

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

/** Why money is moved by hand. */
export const runBonusTickBody = z.object({ reason });
/** The run that was asked for; it may not have ended. */
export const jobRunAnswer = z.object({ run: jobRun, message: accepted.shape.message });

/** A job by its name. */
export const ofJob = z.object({
  job: z
    .string()
    .regex(/^[a-z][a-z-]{0,39}$/, 'Must be the name of a job.')
    .meta({ description: 'Name of a job' }),
});

/** A run of the bonus tick by the moment that it is for. */
export const ofTick = z.object({
  slot: instant.meta({ description: 'The `slot` of the run' }),
});

/** What a run of the bonus tick paid, an account each, in the order of the log. */
export const tickResults = pageOf(
  z.object({
    userId,
    name: z.string().meta({ description: 'What the person is called now' }),
    eventId: z.string().meta({ description: 'The event that booked it' }),
    position,
    at: instant,
    days: z.int().meta({ description: 'Days of the cycle that it pays' }),
    bonusDays: z.int().meta({ description: 'Days of the cycle that are paid with it' }),
    amount: decimal.meta({ description: 'US dollars' }),
    currency: paymentCurrency.meta({ description: 'What it was booked in' }),
    converted: decimal.meta({ description: 'In that currency' }),
  }),
);
export type TickResults = z.infer<typeof tickResults>;

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

const wholeIn = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.coerce.number().int().min(min).max(max).optional();

/** What is not given is as the policy in force has it. */
export const bonusPreviewQuery = pageQuery.extend({
  when: z
    .enum(['next', 'now'])
    .default('next')
    .meta({ description: 'A run when it is due next, or one at once' }),
  rate: bonusPolicy.shape.rate.optional(),
  windowDays: wholeIn(BONUS_POLICY_LIMITS.windowDays),
  everyHours: wholeIn(BONUS_POLICY_LIMITS.everyHours),
  capDays: wholeIn(BONUS_POLICY_LIMITS.capDays),
  currency: paymentCurrency.optional(),
});

/** What the next run of the bonus tick would pay to one account. */
const bonusDue = z.object({
  userId,
  customer: z.string(),
  accountNumber: z.string(),
  wallet: decimal.meta({ description: 'US dollars that the bonus is worked out from' }),
  bonusDays: z.int().meta({ description: 'Days of the cycle that are paid already' }),
  days: z.int().meta({ description: 'Days that would be paid' }),
  amount: decimal.meta({ description: 'US dollars' }),
  converted: decimal.meta({ description: 'The same in the currency of the policy' }),
});

/** What the next run of the bonus tick would pay, account by account, as things are now. */
export const bonusPreview = pageOf(bonusDue).extend({
  at: instant.meta({ description: 'When the run is: the next one of such a policy, or now' }),
  policy: bonusPolicy.meta({ description: 'What it was worked out by' }),
  sum: z.object({
    accounts: z.int(),
    days: z.int(),
    amount: decimal.meta({ description: 'US dollars' }),
    converted: decimal.meta({ description: 'The same in the currency of the policy' }),
    refused: z.int().meta({ description: 'Accounts that can’t take it, because they would have too much' }),
    isWhole: z.boolean().meta({ description: 'Whether all accounts are in the sum; not with very many' }),
  }),
});
export type BonusPreview = z.infer<typeof bonusPreview>;
export type StalledTransferList = z.infer<typeof stalledTransfers>;
