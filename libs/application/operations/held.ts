import { atMost, logStart, type Clock, type Timers } from '#kernel';
import type { ProjectionFeed } from '#projections';
import { ownerOfStream } from '../audit/whose.js';

/** How long what is known of held streams counts, in milliseconds. */
const KNOWN_MS = 1_000;
/** How long a look is waited for; then the last one counts. */
const LOOK_MS = 2_000;
/** Events of a model that are looked at for whose they are; when more are parked, everybody's streams count as held. */
const PARKED_MAX = 1_000;

/** Which streams the read models hold, because of an event that they can't take: by model, whose they are. */
export type HeldStreams = {
  /**
   * Whether one of these models holds a stream of a person, or, where none is named, any stream: what it has of it is from
   * before that event. As it was about a second ago; what is known from before that is looked at anew first.
   */
  readonly holds: (models: readonly string[], userId: string | undefined) => boolean | Promise<boolean>;
};

type Owners = ReadonlySet<string> | 'everybody';

/** Looks at what is held when somebody asks, at most once a second. Who asks meanwhile waits for the same look. */
export function watchHeldStreams(
  projections: Pick<ProjectionFeed, 'status' | 'parked'>,
  clock: Clock,
  timers: Pick<Timers, 'after'>,
): HeldStreams {
  let held: ReadonlyMap<string, Owners> = new Map();
  let lookedAt = -Infinity;
  /** The wait for the look under way. It is over when that is late: then nobody waits for it any more. */
  let looking: Promise<void> | undefined;

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

  function isHeld(model: string, userId: string | undefined): boolean {
    const owners = held.get(model);
    if (owners === undefined || owners === 'everybody') return owners !== undefined;
    return userId === undefined ? owners.size > 0 : owners.has(userId);
  }

  function begin(): Promise<void> {
    lookedAt = clock();
    const ended = look().finally(() => {
      looking = undefined;
    });
    // Without an answer from the projector, of which readiness tells, the last one counts.
    looking = atMost(timers, LOOK_MS, ended);
    return looking;
  }

  return {
    holds(models, userId) {
      const answer = () => models.some((model) => isHeld(model, userId));
      if (looking !== undefined) return looking.then(answer);
      return Math.abs(clock() - lookedAt) < KNOWN_MS ? answer() : begin().then(answer);
    },
  };
}
