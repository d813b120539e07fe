import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers';
import type { Draws } from '#kernel/testing/draws';

/** Whoever does something: nothing more once it is over, and nothing while it is paused. */
export type Actor = { readonly name: string; readonly isOver: boolean; readonly pausedUntil: number };

/** Something that happens at a time, on a machine or between them. */
type Task = {
  at: number;
  /** Drawn: decides between tasks of the same time. */
  readonly order: number;
  readonly what: string;
  readonly run: () => void | Promise<void>;
  readonly life: Actor | undefined;
  isCancelled: boolean;
};

/** Time that passes as fast as the work in it is done: nothing happens but what was put into it. */
export type VirtualTime = {
  /** Milliseconds since the simulation began. */
  readonly now: () => number;
  /**
   * Has something done after so many milliseconds, in the same turn as nothing else. On a machine it is left out once that
   * life is over, and waits while it is paused. Gives what cancels it.
   */
  readonly after: (ms: number, what: string, run: () => void | Promise<void>, life?: Actor) => () => void;
  /** Lets time pass until a condition holds, which is asked after each step; false when that took so many milliseconds. */
  readonly until: (condition: () => boolean, ms: number) => Promise<boolean>;
  readonly steps: () => number;
  /** Puts something into the trace. */
  readonly note: (what: string) => void;
  /** The hash of all that happened so far, and when. */
  readonly hash: () => string;
};

/** Steps of one run, at most: a program that spins without letting time pass is a failure. */
const STEPS_MAX = 2_000_000;
/** Lines of the trace that are hashed at a time. */
const LINES_HASHED = 256;

/** `trace` hears each line that the hash is made of. */
export function createVirtualTime(
  draws: Draws,
  trace: (line: string) => void = () => undefined,
): VirtualTime {
  const tasks = createHeap();
  const hash = createHash('sha256');
  const lines: string[] = [];
  let now = 0;
  let steps = 0;
  /** What the simulation itself failed with. */
  let failure: { readonly error: unknown } | undefined;
  const note = (what: string) => {
    const line = `${now.toFixed(3)} ${what}`;
    lines.push(line);
    if (lines.length === LINES_HASHED) hash.update(`${lines.splice(0).join('\n')}\n`);
    trace(line);
  };

  const after: VirtualTime['after'] = (ms, what, run, life) => {
    const at = now + Math.max(0, ms);
    const task: Task = { at, order: draws.next(), what, run, life, isCancelled: false };
    tasks.push(task);
    return () => {
      task.isCancelled = true;
    };
  };

  /** Does one task, and all that follows from it without a wait. */
  const step = async (task: Task) => {
    now = Math.max(now, task.at);
    if (task.life?.isOver === true) return;
    const pausedUntil = task.life?.pausedUntil ?? 0;
    if (pausedUntil > now) {
      task.at = pausedUntil;
      tasks.push(task);
      return;
    }
    steps += 1;
    if (steps > STEPS_MAX) throw new Error(`more than ${STEPS_MAX} steps: something spins`);
    note(task.life === undefined ? task.what : `${task.life.name}: ${task.what}`);
    const failed = Promise.resolve(task.run()).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    void failed.then((one) => (failure ??= one));
    // Everything that is awaited is in this queue: once the turn is over, so is what the task began.
    await new Promise((resolve) => setImmediate(resolve));
    if (failure !== undefined) throw failure.error;
  };

  return {
    now: () => now,
    after,
    until: async (condition, ms) => {
      const end = now + ms;
      while (!condition()) {
        const task = tasks.pop();
        if (task === undefined) return false;
        if (task.isCancelled) continue;
        if (task.at > end) {
          tasks.push(task);
          now = end;
          return false;
        }
        await step(task);
      }
      return true;
    },
    steps: () => steps,
    note,
    hash: () => hash.copy().update(lines.join('\n')).digest('hex'),
  };
}

function isBefore(a: Task, b: Task): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** Tasks, of which the soonest is taken first: a binary heap. */
function createHeap() {
  const heap: Task[] = [];
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  return {
    push: (task: Task) => {
      let place = heap.push(task) - 1;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (!isBefore(heap[place]!, heap[parent]!)) return;
        swap(place, parent);
        place = parent;
      }
    },
    pop: (): Task | undefined => {
      const first = heap[0];
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let place = 0; ;) {
        const [left, right] = [2 * place + 1, 2 * place + 2];
        let least = place;
        if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
        if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
        if (least === place) return first;
        swap(place, least);
        place = least;
      }
    },
  };
}
