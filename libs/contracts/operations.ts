import { z } from 'zod';
import { position } from './common.js';

/** How the read models stand against the log. */
export const projections = z.object({
  head: position.meta({ description: 'The last event of the log' }),
  models: z.array(
    z.object({
      name: z.string(),
      version: z.int().meta({ description: 'Of what is read now' }),
      position: position.meta({ description: 'The last event that it has' }),
      state: z
        .enum(['current', 'behind', 'stalled', 'rebuilding'])
        .meta({ description: 'stalled: it does not advance while events wait' }),
      secondsBehind: z.number(),
      parked: z.int().meta({ description: 'Events that it could not take' }),
    }),
  ),
});

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

export const replayBody = z.object({
  stream: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only parked events of this stream; left out: of all' }),
});

export const replayAnswer = z.object({
  model: z.string(),
  replayed: z.int().meta({ description: 'Events that were folded now' }),
  left: z.int().meta({ description: 'Events that could not be' }),
});

export const health = z.object({
  status: z.enum(['ok', 'unavailable']),
  checks: z.record(z.string(), z.string()).meta({ description: 'What was looked at, and how it is' }),
});

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
  ]),
  id: z
    .string()
    .meta({ description: 'The document’s own; of transactions and notifications, their place in the log' }),
  position,
});
export type Change = z.infer<typeof change>;
