import { z } from 'zod';
import { ledgerClasses } from '#ledger';
import {
  currency,
  decimal,
  eachCurrency,
  eventFormat,
  instant,
  listFormat,
  listOrder,
  pageOf,
  pageQuery,
  position,
  requestId,
  stretch,
  userId,
} from './common.js';
import { PAGE_SIZE, PAGE_SIZE_MAX } from './limits.js';
import { account } from './wallet.js';

/** Any JSON. */
export const json = z.json();
const text = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'Please enter up to 100 letters, digits and hyphens.');
/** The most types of events that can be asked for at once. */
const TYPES_MAX = 64;
const eventTypes = z
  .string()
  .regex(/^[A-Za-z]{1,60}(?:,[A-Za-z]{1,60})*$/, 'Please enter names of events, parted by commas.')
  .refine(
    (types) => types.split(',').length <= TYPES_MAX,
    `Please enter up to ${TYPES_MAX} names of events, parted by commas.`,
  )
  .meta({ examples: ['SignedIn,SignedOut'] });
/** The name of a stream: what kind it is, and what it is about. */
export const streamName = z
  .string()
  .regex(
    /^[a-z]{1,20}(?:-[A-Za-z0-9-]{1,64})?$/,
    'Please enter the name of a stream, such as settings-global.',
  )
  .meta({
    description: 'What kind of stream it is, and what about, unless there is one of the kind',
    examples: ['account-5b1c0a4e', 'settings-global', 'platform'],
  });
export const eventId = z
  .string()
  .regex(/^[0-9a-f-]{36}$/, 'Please enter the id of an event.')
  .meta({ description: 'UUID of an event' });
/** An event as the log has it. */
export const auditEvent = z.object({
  id: z.string(),
  type: z.string(),
  version: z.int().meta({ description: 'Of the shape of `data`' }),
  stream: z.string(),
  revision: z.int().meta({ description: 'Its number in the stream, from 0' }),
  position: position
    .optional()
    .meta({ description: 'Left out where the engine does not tell it of a stream' }),
  at: instant,
  data: z.record(z.string(), json).meta({ description: 'What happened; amounts are decimal texts' }),
  meta: z.object({
    actor: z.object({
      kind: z
        .enum(['person', 'system', 'operator'])
        .meta({ description: 'system: Lode by itself; operator: the command line' }),
      id: z.string(),
      role: z.enum(['visitor', 'user', 'admin', 'system']),
    }),
    reason: z.string().optional(),
    commandId: z.string().meta({ description: 'Which command made it; makes a repeated one recognisable' }),
    requestHash: z.string().meta({ description: 'Hash of what the command asked for' }),
    correlationId: z.string().meta({ description: 'The same in all that follows from one request' }),
    causationId: z.string().meta({ description: 'The event, or else the command, that caused it' }),
    session: z.string().optional().meta({ description: 'In which session it was asked for' }),
    settings: z
      .int()
      .optional()
      .meta({ description: 'The revision of the settings that it was decided by; -1 before any were set' }),
    chain: z.string().meta({ description: 'Hash of the event and of all before it in the stream' }),
  }),
  actorName: z.string().meta({ description: 'The name of whoever did it, as it is today' }),
  personalData: z
    .enum(['none', 'sealed'])
    .meta({ description: 'sealed: members of `data` are encrypted with a person’s key and stay so' }),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** An event with where whoever did it was. */
export const eventDetails = auditEvent.extend({
  from: z
    .object({
      address: z
        .string()
        .optional()
        .meta({ description: 'Left out where it was not kept, and of who is forgotten' }),
      agent: z.string().optional().meta({ description: 'What the program called itself' }),
      signedInAt: instant,
    })
    .nullable()
    .meta({
      description:
        'Where the session began in which it was asked for; null of what nobody did in a session, and where that is not found',
    }),
});
export type EventDetails = z.infer<typeof eventDetails>;

export const auditQuery = pageQuery.extend({
  stream: streamName.optional(),
  type: text.optional().meta({ description: 'The type of the event' }),
  types: eventTypes.optional().meta({ description: 'Several types, parted by commas' }),
  person: userId.optional().meta({ description: 'Whose stream it is in, or the other person of a transfer' }),
  actor: text.optional().meta({ description: 'The id of whoever did it' }),
  requestId: requestId.optional(),
  correlationId: text.optional().meta({ description: 'All that followed from one request' }),
  commandId: text.optional().meta({ description: 'What one command made' }),
  ...stretch.shape,
  order: listOrder,
  format: eventFormat,
});
export type AuditQuery = z.infer<typeof auditQuery>;
/** A page can hold fewer rows than it was asked for, even none, and still have a `next`: it looked at as many as it may. */
export const auditPage = pageOf(auditEvent);
export type AuditPage = z.infer<typeof auditPage>;

/** An event word for word as the log has it, its members in canonical order: what `lode export` writes. */
const loggedEvent = z.object({
  at: instant,
  data: z.record(z.string(), json),
  id: z.string(),
  meta: z.record(z.string(), json),
  position,
  revision: z.int().meta({ description: 'Its number in the stream, from 0' }),
  stream: z.string(),
  type: z.string(),
  version: z.int(),
});
export const caseQuery = pageQuery.extend({
  format: z
    .enum(['json', 'ndjson'])
    .optional()
    .meta({ description: 'ndjson: all of it, one event a line after a line with its `end`' }),
});
/** All that the log has in one person's streams, in its order, and up to where that is. */
export const casePage = pageOf(loggedEvent).extend({
  end: z
    .object({
      position: position.meta({ description: 'The end of the log when the first page was asked for' }),
      streams: z.record(z.string(), z.int()).meta({
        description: 'The revision of the last event of each stream there; one without events is left out',
      }),
    })
    .meta({ description: 'All pages together have everything up to it' }),
});
export type CasePage = z.infer<typeof casePage>;

export const causation = z.object({
  eventId: z.string(),
  correlationId: z.string(),
  events: z
    .array(
      auditEvent.extend({
        parent: z.string().nullable().meta({ description: 'The event that caused it; null for the root' }),
        depth: z.int().meta({ description: 'Steps from the root of the tree, which has 0' }),
      }),
    )
    .meta({ description: 'A tree in the order of reading: each event after the one that caused it' }),
  truncated: z.boolean().meta({ description: 'There are more than are shown' }),
});
export type Causation = z.infer<typeof causation>;

export const streamQuery = z.object({
  from: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'The revision of the first row; the newest, or the oldest, when left out',
  }),
  order: listOrder,
  limit: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
});
export const streamPage = z.object({
  stream: z.string(),
  revision: z.int().nullable().meta({ description: 'Of the last event; null when the stream has none' }),
  events: z.array(auditEvent),
  next: z.int().nullable().meta({ description: 'Ask with this `from` for the next page' }),
  previous: z.int().nullable().meta({ description: 'The same for the page before' }),
  chainVerified: z
    .boolean()
    .meta({ description: 'Each event shown is chained to the one before it in the stream, and unchanged' }),
});
export type StreamPage = z.infer<typeof streamPage>;

/** A moment of the log: an instant, or a place; now when neither is given. */
const moment = z
  .object({
    at: instant.optional().meta({ description: 'As of this instant; not together with `position`' }),
    position: position.optional().meta({ description: 'As of this place in the log' }),
  })
  .refine(({ at, position }) => at === undefined || position === undefined, {
    path: ['at'],
    message: 'Ask for an instant or for a position, not for both.',
  });

export const asOfQuery = moment;
/** An account as it was right after one of its events. Its owner’s particulars are not part of it. */
export const accountAsOf = account
  .pick({
    userId: true,
    accountNumber: true,
    role: true,
    status: true,
    created: true,
    bonus: true,
    wallet: true,
    balances: true,
    totals: true,
  })
  .extend({
    revision: z.int().meta({ description: 'The last event of the account that is counted' }),
    position: position.optional().meta({ description: 'Where in the log that event is' }),
    at: instant.meta({ description: 'When that event happened' }),
  });
export type AccountAsOf = z.infer<typeof accountAsOf>;

/** What an account is, but for whose it is. */
export const accountState = account.pick({ status: true, wallet: true, balances: true, totals: true });
export type AccountState = z.infer<typeof accountState>;
/** What happened to an account, without what is encrypted in its events and how they came to be. */
export const accountEvents = z.object({
  userId,
  revision: z.int().meta({ description: 'Of the account’s last event' }),
  before: accountState
    .nullable()
    .meta({ description: 'What the account was before the oldest event here; null before it was opened' }),
  events: z.array(
    z.object({
      eventId: z.string(),
      type: z.string(),
      description: z.string().meta({ description: 'What it was, in a few words' }),
      revision: z.int().meta({ description: 'Its number among the account’s events, from 0' }),
      position: position.optional(),
      at: instant,
      by: z.object({
        role: z.string(),
        name: z.string().meta({ description: 'The name of whoever did it, as it is today' }),
      }),
      requestId: requestId.optional(),
      reason: z.string().optional(),
      after: accountState.nullable().meta({ description: 'What the account was right after it' }),
    }),
  ),
  next: z.int().nullable().meta({ description: 'Ask with this `from` for the next page' }),
  previous: z.int().nullable().meta({ description: 'The same for the page before' }),
  chainVerified: z
    .boolean()
    .meta({ description: 'Each event shown is chained to the one before it in the stream, and unchanged' }),
});
export type AccountEvents = z.infer<typeof accountEvents>;

export const trialBalanceQuery = moment;
const amounts = eachCurrency(() => decimal);
export const trialBalance = z.object({
  position: position.meta({ description: 'The last event that is counted; 0 for none' }),
  lines: z.array(
    z.object({
      account: z.enum(ledgerClasses).meta({ description: 'A kind of account' }),
      side: z
        .enum(['customers', 'operator'])
        .meta({ description: 'Owed to customers, or the other side of it' }),
      amounts,
    }),
  ),
  liabilities: amounts.meta({ description: 'What customers have, and what is on its way to them' }),
  sum: amounts.meta({ description: 'Of all lines' }),
  balanced: z.boolean().meta({ description: 'Whether `sum` is zero in each currency' }),
});
export type TrialBalance = z.infer<typeof trialBalance>;

/** A cell of the trial balance, as of a moment, and a page of what is behind it. */
export const trialPostingsQuery = z
  .object({
    ...pageQuery.shape,
    format: listFormat,
    account: z.enum(ledgerClasses).meta({ description: 'A kind of account' }),
    currency,
    at: instant.optional().meta({ description: 'As of this instant; not together with `position`' }),
    position: position.optional().meta({ description: 'As of this place in the log' }),
  })
  .refine(({ at, position }) => at === undefined || position === undefined, {
    path: ['at'],
    message: 'Ask for an instant or for a position, not for both.',
  });
export type TrialPostingsQuery = z.infer<typeof trialPostingsQuery>;
/** A page can hold fewer rows than it was asked for, even none, and still have a `next`: it looked at as many as it may. */
export const trialPostings = pageOf(
  z.object({
    event: auditEvent,
    amount: decimal.meta({ description: 'What it added to the cell' }),
    postings: z.array(
      z.object({
        account: z.string().meta({ description: 'The account itself, such as `customer/{userId}/held`' }),
        currency,
        amount: decimal,
      }),
    ),
  }),
).extend({
  account: z.enum(ledgerClasses),
  currency,
  position: position.meta({ description: 'The last event that is counted; 0 for none' }),
});
export type TrialPostings = z.infer<typeof trialPostings>;
