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
