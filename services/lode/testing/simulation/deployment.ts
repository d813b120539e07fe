import { beginLife, createWallClock, type Life, type WallClock } from './machines.js';
import { startApi, startProjectorProgram, startWorker, type Api, type Ground } from './programs.js';

/** A place for a program: its machine, and what runs there now. */
type Place = {
  readonly name: string;
  readonly kind: 'api' | 'projector' | 'worker';
  readonly wall: WallClock;
  lives: number;
  life: Life | undefined;
  api: Api | undefined;
  endThread: (() => void) | undefined;
};

/** Two of each program. */
export type Deployment = {
  readonly places: readonly Place[];
  /** Those APIs that take requests now. */
  readonly apis: () => readonly Api[];
  readonly start: () => void;
  readonly kill: (place: Place) => void;
  /** Half a day passes on every machine, in which nobody does anything. */
  readonly skip: (ms: number) => void;
  /** From now on every clock is right, and nothing is paused. */
  readonly heal: () => void;
};

/** How soon a program is started that has ended, in milliseconds, at most. */
const RESTART_MS = 3_000;

export function createDeployment(ground: Ground): Deployment {
  const { world } = ground;
  const { time, draws } = world;
  let passed = 0;
  const places = (['api', 'projector', 'worker'] as const).flatMap((kind) =>
    [1, 2].map((n): Place => ({
      ...{ name: `${kind} ${n}`, kind, wall: createWallClock(time, () => passed) },
      ...{ lives: 0, life: undefined, api: undefined, endThread: undefined },
    })),
  );

  const begin = (place: Place) => {
    place.lives += 1;
    const life = beginLife(`${place.name}.${place.lives}`, place.wall, {
      ...{ time, draws, lateness: () => world.plan.latenessMs },
    });
    place.life = life;
    life.onEnd(() => {
      place.life = undefined;
      place.api = undefined;
      place.endThread = undefined;
      time.after(draws.between(1, RESTART_MS), `${place.name} starts`, () => begin(place));
    });
    const started = async () => {
      if (place.kind === 'api') place.api = await startApi(ground, life);
      else if (place.kind === 'worker') await startWorker(ground, life);
      else place.endThread = (await startProjectorProgram(ground, life)).endThread;
    };
    // Whoever can't begin ends, and is started again.
    started().catch((error: unknown) => {
      time.note(`${life.name} can't begin: ${String(error)}`);
      life.end();
    });
  };

  return {
    places,
    apis: () => places.flatMap(({ api }) => api ?? []),
    start: () => {
      for (const place of places)
        time.after(draws.between(0, 100), `${place.name} starts`, () => begin(place));
    },
    kill: ({ life }) => life?.end(),
    skip: (ms) => {
      passed += ms;
    },
    heal: () => {
      for (const { wall } of places) wall.skewMs = 0;
    },
  };
}
