import { z } from 'zod';
import { auditEvent, eventId } from './audit.js';
import { instant, position, reason } from './common.js';
import { PAGE_SIZE, PAGE_SIZE_MAX } from './limits.js';

/** How the read models stand against the log. */
export const projections = z.object({
  head: position.meta({ description: 'The last event of the log' }),
  headSecondsBehind: z
    .number()
    .meta({ description: 'How long the log has not had an event that it acknowledged; 0: it has all' }),
  models: z.array(
    z.object({
      name: z.string(),
      version: z.int().meta({ description: 'Of what is read now' }),
      position: position.meta({ description: 'The last event that it has' }),
      state: z
        .enum(['current', 'behind', 'stalled', 'rebuilding'])
        .meta({ description: 'stalled: it does not advance while events wait' }),
      secondsBehind: z.number().meta({ description: 'Age of the oldest event that it has not' }),
      advancedAt: instant
        .nullable()
        .meta({ description: 'When its position last moved; null: not since the program began to look' }),
      eventsBehind: z.int().meta({ description: 'Events that it has not: at least so many' }),
      parked: z.int().meta({ description: 'Events that it could not take' }),
      discarded: z.int().meta({ description: 'Events that it is without, because an admin decided so' }),
      rebuild: z
        .object({
          events: z.int().meta({ description: 'Events of the log that the new build has' }),
          of: z.int().meta({ description: 'How many it has to take: at least so many' }),
          secondsLeft: z
            .number()
            .nullable()
            .meta({ description: 'How long that takes at the pace so far; null: not known yet' }),
          halted: z.boolean().meta({ description: 'Too many events are parked: it goes no further' }),
        })
        .nullable()
        .meta({
          description: 'The build that is to take the place of what is read now; null: there is none',
        }),
    }),
  ),
});

/** How the server's clock stands, by which everything is stamped. */
export const clock = z.object({
  accepted: z
    .boolean()
    .meta({ description: 'false: nothing is written, paid or deleted until it is put right' }),
  clock: instant.meta({ description: 'What the clock says' }),
  known: instant.meta({ description: 'The latest time that is known' }),
});

export type ClockView = z.infer<typeof clock>;
/** Work that an admin ordered of the program and that goes on beside everything else: as it stands, or as it ended. */
const chore = z.object({
  state: z.enum(['running', 'done', 'failed', 'canceled']).meta({
    description: 'done: it came to its end, whatever it found; failed: it did not, and `failure` says why',
  }),
  begunAt: instant,
  endedAt: instant.nullable(),
  step: z.string().meta({ description: 'What it is at, or was at last; empty before it is at anything' }),
  looked: z.int().meta({ description: 'Events, documents, rows or files that this step has seen' }),
  of: z.int().nullable().meta({ description: 'How many there are; null: not known before its end' }),
  wrong: z
    .array(z.string())
    .meta({ description: 'What it found to be wrong, a sentence each; the first hundred' }),
  failure: z.string().nullable(),
});
export type ChoreView = z.infer<typeof chore>;

/** The look at everything that must be true of the log and of what is made from it. */
export const verification = z.object({
  run: chore.nullable().meta({ description: 'The last one, or the one under way; null: there was none' }),
});
export type Verification = z.infer<typeof verification>;

export const cancelChoreAnswer = z.object({
  cancelled: z.boolean().meta({ description: 'false: none was under way' }),
});

/** Where backups go, the newest one that is there, and the one under way. */
export const backups = z.object({
  way: z.enum(['folder', 'unset', 'servers']).meta({
    description:
      'folder: into that of LODE_BACKUPS; unset: that is not set; servers: what is on servers is backed up by their own means',
  }),
  folder: z.string().nullable().meta({ description: 'That of LODE_BACKUPS' }),
  last: z
    .object({
      name: z.string().meta({ description: 'Its folder in that of LODE_BACKUPS' }),
      madeAt: instant,
      events: z.int(),
      bytes: z.int().meta({ description: 'Of all its files together' }),
    })
    .nullable()
    .meta({ description: 'The newest whole backup there; null: there is none' }),
  run: chore
    .nullable()
    .meta({ description: 'The last one that was ordered here, or the one under way; null: there was none' }),
});
export type Backups = z.infer<typeof backups>;

/** What the program is set to, and where each value comes from. */
export const systemSettings = z.object({
  version: z.string().meta({ description: 'Of the program' }),
  items: z.array(
    z.object({
      name: z.string().meta({ description: 'The environment variable' }),
      value: z.string().meta({ description: 'Without passwords; `set` of what is a secret as a whole' }),
      source: z
        .string()
        .meta({ description: 'environment, file, command line, or default where nobody said anything' }),
    }),
  ),
});
export type SystemSettings = z.infer<typeof systemSettings>;

/** The engines, each asked just now, and the clock beside the log. */
export const systemEngines = z.object({
  items: z.array(
    z.object({
      part: z.enum(['log', 'read models', 'identity', 'files', 'jobs']),
      kind: z
        .enum(['embedded', 'server'])
        .meta({ description: 'embedded: files in the data folder of the program' }),
      address: z.string().nullable().meta({ description: 'Of the server, without user and password' }),
      answersInMs: z.number().nullable().meta({ description: 'null: it did not answer' }),
      failure: z.string().nullable(),
    }),
  ),
  clock: clock.extend({
    lastEventAt: instant.nullable().meta({ description: 'When the last event of the log was written' }),
  }),
});
export type SystemEngines = z.infer<typeof systemEngines>;

export type ReadModelList = z.infer<typeof projections>;

/** A read model by its name. */
export const ofModel = z.object({
  model: z
    .string()
    .regex(/^[a-z][a-z-]{0,39}$/, 'Must be the name of a read model.')
    .meta({ description: 'Name of a read model' }),
});

/** A read model is being built beside the one that is read, until that one has caught up. */
export const rebuildAnswer = z.object({ model: z.string(), state: z.literal('rebuilding') });

export const cancelRebuildAnswer = z.object({
  model: z.string(),
  cancelled: z.boolean().meta({ description: 'false: none was under way' }),
});

export const parkedQuery = z.object({
  after: position.optional().meta({ description: 'The `next` of the page before' }),
  limit: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
});

/** Events that a read model is without, in log order. */
export const parkedAnswer = z.object({
  model: z.string(),
  items: z.array(
    z.object({
      eventId: z.string(),
      position,
      stream: z.string(),
      revision: z.int().meta({ description: 'Its number in the stream, from 0' }),
      type: z.string(),
      state: z.enum(['parked', 'waiting', 'discarded']).meta({
        description:
          'parked: it failed itself; waiting: an earlier one of its stream did; discarded: the model goes on without it',
      }),
      attempts: z.int().meta({ description: 'How often it was tried' }),
      error: z.string().meta({ description: 'Why it failed the last time; empty for one that waits' }),
      event: auditEvent
        .nullable()
        .meta({ description: 'As the log has it; null when the log can’t read it' }),
    }),
  ),
  next: position.nullable().meta({ description: 'Ask with this `after` for the next page' }),
});
export type ParkedList = z.infer<typeof parkedAnswer>;

export const discardBody = z.object({ eventId, reason });

export const discardAnswer = z.object({
  model: z.string(),
  discarded: z.boolean().meta({ description: 'false: the event was not parked, or no longer' }),
  replayed: z.int().meta({ description: 'Events that waited behind it and were folded now' }),
  left: z.int().meta({ description: 'Events of its stream that could not be' }),
});

export const replayBody = z.object({
  stream: z
    .string()
    .min(1, 'Please enter the name of a stream.')
    .max(200, 'Please enter the name of a stream.')
    .optional()
    .meta({ description: 'Only parked events of this stream; left out: of all' }),
});

export const replayAnswer = z.object({
  model: z.string(),
  replayed: z.int().meta({ description: 'Events that were folded now' }),
  left: z.int().meta({ description: 'Events that could not be' }),
});

export const health = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']).meta({
    description:
      'degraded: requests are answered, but not all commands, or something needs a look; unavailable, with 503: commands or queries are not answered',
  }),
  checks: z.record(z.string(), z.string()).meta({
    description:
      'What was looked at, and how it is: in words for an admin, the token of LODE_METRICS_TOKEN and this machine, as ok, degraded or unavailable for others',
  }),
});

export type HealthView = z.infer<typeof health>;

/** What the live stream tells: this document changed, as of this position. Fetch it to see how. */
export const change = z.object({
  collection: z.enum([
    'accounts',
    'requests',
    'transfers',
    'transactions',
    'notifications',
    'products',
    'totals',
    'settings',
    'messages',
    'approvals',
    'changes',
  ]),
  id: z
    .string()
    .meta({ description: 'The document’s own; of transactions and notifications, their place in the log' }),
  position,
});
export type Change = z.infer<typeof change>;
