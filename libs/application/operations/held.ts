import { logStart, type Clock } from '#kernel';
import type { ProjectionFeed } from '#projections';
import { ownerOfStream } from '../audit/whose.js';

/** How long what is known of held streams counts, in milliseconds. */
const KNOWN_MS = 1_000;
/** Events of a model that are looked at for whose they are; when more are parked, everybody's streams count as held. */
const PARKED_MAX = 1_000;

/** Which streams the read models hold, because of an event that they can't take: by model, whose they are. */
export type HeldStreams = {
  /**
   * Whether a model holds a stream of a person, or, where none is named, any stream: what it has of it is from before that
   * event. As it was about a second ago; asking waits for nothing.
   */
  readonly holds: (model: string, userId: string | undefined) => boolean;
};

type Owners = ReadonlySet<string> | 'everybody';

/** Looks at what is held when somebody asks, at most once a second. */
export function watchHeldStreams(
  projections: Pick<ProjectionFeed, 'status' | 'parked'>,
  clock: Clock,
): HeldStreams {
  let held: ReadonlyMap<string, Owners> = new Map();
  let lookedAt = -Infinity;

  async function ownersIn(model: string): Promise<Owners> {
    const events = await projections.parked(model, { after: logStart, limit: PARKED_MAX + 1 });
    if (events.length > PARKED_MAX) return 'everybody';
    const streams = events.filter(({ state }) => state !== 'discarded').map(({ stream }) => stream);
    return new Set(streams.map((stream) => ownerOfStream(stream) ?? ''));
  }

  async function look(): Promise<void> {
    const found = new Map<string, Owners>();
    for (const { name, parked } of await projections.status())
      if (parked > 0) found.set(name, await ownersIn(name));
    held = found;
  }

  return {
    holds(model, userId) {
      const now = clock();
      if (Math.abs(now - lookedAt) >= KNOWN_MS) {
        lookedAt = now;
        // Without an answer from the projector, of which readiness tells, the last one counts.
        look().catch(() => undefined);
      }
      const owners = held.get(model);
      if (owners === undefined || owners === 'everybody') return owners !== undefined;
      return userId === undefined ? owners.size > 0 : owners.has(userId);
    },
  };
}
