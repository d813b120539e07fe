import { LodeError } from '#kernel';

/** Work that is asked for from outside and done between two turns of a runner. */
export type Tasks<Context> = {
  /**
   * What `work` gives, once its turn has come. Rejects with `overloaded` when too much waits, with `unavailable` when the
   * runner is stopped, and with what `work` throws.
   */
  readonly ask: <Answer>(work: (context: Context) => Promise<Answer>) => Promise<Answer>;
  /** Does all that waits; never throws. */
  readonly doAll: (context: Context) => Promise<void>;
  /** Refuses all that waits. */
  readonly refuseAll: () => void;
};

type Task<Context> = {
  readonly run: (context: Context) => Promise<void>;
  readonly refuse: (error: unknown) => void;
};

export type TasksOptions = {
  /** Tasks that may wait. */
  readonly waitingMax: number;
  readonly isStopping: () => boolean;
  /** Told that there is something to do. */
  readonly onAsked: () => void;
};

export function createTasks<Context>({ waitingMax, isStopping, onAsked }: TasksOptions): Tasks<Context> {
  const waiting: Task<Context>[] = [];
  return {
    ask: (work) => {
      if (isStopping()) return Promise.reject(stopped());
      if (waiting.length >= waitingMax)
        return Promise.reject(new LodeError('overloaded', 'Too much is asked at once.'));
      return new Promise((resolve, refuse) => {
        const run = async (context: Context) => {
          try {
            resolve(await work(context));
          } catch (error) {
            refuse(error);
          }
        };
        waiting.push({ run, refuse });
        onAsked();
      });
    },
    doAll: async (context) => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task.run(context);
    },
    refuseAll: () => {
      for (const task of waiting.splice(0)) task.refuse(stopped());
    },
  };
}

function stopped(): LodeError {
  return new LodeError('unavailable', 'The read models were stopped.');
}
