import { z } from 'zod';
import { invariant, type Json } from '#kernel';
import type { ProjectionFeed, Replayed } from '#projections';
import type { Damage } from '#read-store';
import type { OrderKind } from './orders.js';

/** What is ordered of whoever runs the projections. */
export type ProjectionOrder =
  | { readonly ask: 'rebuild' | 'cancelRebuild'; readonly model: string }
  | { readonly ask: 'discard'; readonly model: string; readonly eventId: string }
  /** The parked events of a stream, or of all. */
  | { readonly ask: 'replay'; readonly model: string; readonly stream: string | null }
  | { readonly ask: 'mend'; readonly build: string; readonly ids: readonly string[] };

const order = z.discriminatedUnion('ask', [
  z.object({ ask: z.enum(['rebuild', 'cancelRebuild']), model: z.string() }),
  z.object({ ask: z.literal('discard'), model: z.string(), eventId: z.string() }),
  z.object({ ask: z.literal('replay'), model: z.string(), stream: z.string().nullable() }),
  z.object({ ask: z.literal('mend'), build: z.string(), ids: z.array(z.string()) }),
]);
const replayed = z.object({ replayed: z.number(), left: z.number() });

/** Orders of what queries meet again and again until it is done. */
export const mends: OrderKind = {
  has: (what) => {
    const { success, data } = order.safeParse(what);
    return success && data.ask === 'mend';
  },
  most: 10,
};

/** Who does what is ordered. */
export type Doer = Pick<ProjectionFeed, 'rebuild' | 'cancelRebuild' | 'discard' | 'replay'> & {
  readonly mend: (damage: Damage) => Promise<void>;
};

/** Does what was ordered, by whatever version of the program: one that this doesn't know is refused. */
export async function carryOut(doer: Doer, what: Json): Promise<Json> {
  const parsed = order.safeParse(what);
  invariant(parsed.success, 'an order is one that this version of the program knows');
  const { data } = parsed;
  switch (data.ask) {
    case 'rebuild':
      await doer.rebuild(data.model);
      return null;
    case 'cancelRebuild':
      return doer.cancelRebuild(data.model);
    case 'discard':
      return (await doer.discard(data.model, data.eventId)) ?? null;
    case 'replay':
      return doer.replay(data.model, data.stream ?? undefined);
    case 'mend':
      await doer.mend({ build: data.build, ids: data.ids });
      return null;
  }
}

/** What came of a replay, as another program told it; undefined where there was nothing to do. */
export function replayedIn(answer: Json): Replayed | undefined {
  return answer === null ? undefined : replayed.parse(answer);
}
