import { createSemaphore, LodeError } from '#kernel';

/** Works of one name that wait until those before them are done. */
const WAITING_MAX = 128;

/** Does the works of each name one after the other, and remembers none for which there is none. Refuses with `overloaded`. */
export function createTurns(tooMany: string): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const refusal = () => new LodeError('overloaded', tooMany);
  const newTurn = () => createSemaphore({ concurrency: 1, waiting: WAITING_MAX, tooMany: refusal });
  const turns = new Map<string, { readonly take: ReturnType<typeof newTurn>; works: number }>();
  return async (name, work) => {
    const turn = turns.get(name) ?? { take: newTurn(), works: 0 };
    turns.set(name, turn);
    turn.works += 1;
    try {
      return await turn.take(work);
    } finally {
      turn.works -= 1;
      if (turn.works === 0) turns.delete(name);
    }
  };
}
