import { LodeError } from '#kernel';
import type { Draws } from '#kernel/testing/draws';
import type { Life } from './machines.js';
import type { Plan } from './plan.js';
import type { VirtualTime } from './time.js';

/** What all of a simulation is made of. */
export type World = {
  readonly time: VirtualTime;
  readonly draws: Draws;
  /** What goes wrong now. */
  plan: Plan;
  /** Kinds of what came about. */
  readonly happened: Set<string>;
};

/** How a call may end for whoever made it when it is not known what became of it. */
type Unheard = 'unavailable' | 'unknown_outcome';

/** A server, which knows nothing of who asks: it is there, or away until some time. */
export type Server = { readonly name: string; awayUntil: number };

/** How a request of a client ended: with an answer, with an error, or without either. */
export type Heard<Answer> = { readonly answer?: Answer; readonly error?: unknown };

/** How long a client waits for an answer, in milliseconds. */
export const PATIENCE_MS = 5_000;
/** How long whoever hears nothing waits for an answer, in milliseconds. */
const SILENCE_MS = 1_000;
/** How late a call may come of which nobody heard, in milliseconds. */
const LATE_MS = 8_000;

/** The way of a message now, in milliseconds. */
export function latency({ draws, plan }: World): number {
  return draws.between(0.01, plan.latencyMs);
}

/**
 * A call from a program to a server. `work` is done there, in one step, or not at all; whatever becomes of it, nothing is
 * told to a program that has ended. `unheard` is what it rejects with when the answer doesn't come.
 */
export function call<Answer>(
  world: World,
  life: Life,
  server: Server,
  what: string,
  unheard: Unheard,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { time, draws, plan } = world;
  const where = `${server.name} ${what}`;
  return new Promise<Answer>((resolve, reject) => {
    const answer = (ms: number, how: string, settle: () => void) =>
      time.after(ms, `${where} ${how}`, settle, life);
    const fail = (ms: number, code: Unheard) =>
      answer(ms, code, () => reject(new LodeError(code, `injected: ${where}`)));
    if (draws.chance(plan.refused)) {
      fail(latency(world), 'unavailable');
      return;
    }
    const isLost = draws.chance(plan.lost);
    const isLate = draws.chance(plan.late);
    const isUnheard = isLate || draws.chance(plan.unheard);
    if (isLost || isUnheard) fail(SILENCE_MS, unheard);
    if (isLost) return;
    const way = latency(world) + (isLate ? draws.between(0, LATE_MS) : 0);
    time.after(way, `${where} for ${life.name}`, () => {
      // What a program had sent when it ended may have left its machine.
      if (life.isOver && draws.chance(0.5)) return;
      if (server.awayUntil > time.now()) {
        if (!isUnheard) fail(latency(world), 'unavailable');
        return;
      }
      void work().then(
        (done) => {
          if (!isUnheard) answer(latency(world), 'answered', () => resolve(done));
        },
        (error: unknown) => {
          if (!isUnheard) answer(latency(world), 'refused', () => reject(error));
        },
      );
    });
  });
}

/** A request of a client to a program, over a connection that its end cuts. `work` is begun there, or it never is. */
export function request<Answer>(
  world: World,
  life: Life,
  what: string,
  work: () => Promise<Answer>,
): Promise<Heard<Answer>> {
  const { time } = world;
  return new Promise((resolve) => {
    const cancel = time.after(PATIENCE_MS, 'client gives up', () => end({}));
    const stop = life.onEnd(() => time.after(latency(world), 'client is cut off', () => end({})));
    const end = (heard: Heard<Answer>) => {
      cancel();
      stop();
      resolve(heard);
    };
    const tell = (heard: Heard<Answer>) => time.after(latency(world), `${what} answered`, () => end(heard));
    const carryOut = () =>
      void work().then(
        (answer) => tell({ answer }),
        (error: unknown) => tell({ error }),
      );
    time.after(latency(world), `${what} sent`, carryOut, life);
  });
}
