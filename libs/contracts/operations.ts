import { z } from 'zod';
import { position } from './common.js';

/** How a read model stands against the log. `stalled` means it does not advance while events wait. */
export const projections = z.object({
  head: position,
  models: z.array(
    z.object({
      name: z.string(),
      version: z.int(),
      position,
      state: z.enum(['current', 'behind', 'stalled', 'rebuilding']),
      secondsBehind: z.number(),
      parked: z.int(),
    }),
  ),
});

/** A read model by its name. */
export const ofModel = z.object({
  model: z.string().regex(/^[a-z][a-z-]{0,39}$/, 'Must be the name of a read model.'),
});

/** A read model is being built beside the one that is read, until that one has caught up. */
export const rebuildAnswer = z.object({ model: z.string(), state: z.literal('rebuilding') });

/** Whose parked events are to be folded again; those of all streams when none is named. */
export const replayBody = z.object({ stream: z.string().min(1).max(200).optional() });

/** How many parked and waiting events were folded now, and how many are left. */
export const replayAnswer = z.object({ model: z.string(), replayed: z.int(), left: z.int() });

export const health = z.object({
  status: z.enum(['ok', 'unavailable']),
  checks: z.record(z.string(), z.string()),
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
  id: z.string(),
  position,
});
export type Change = z.infer<typeof change>;
