import { isLodeError } from '#kernel';

/** What a command came to: how it was refused, or whether it was carried out now or before. */
export async function outcomeOf(execution: Promise<{ readonly replayed: boolean }>): Promise<string> {
  return execution.then(
    ({ replayed }) => (replayed ? 'replayed' : 'done'),
    (error: unknown) => (isLodeError(error) ? error.code : error instanceof Error ? error.name : 'thrown'),
  );
}

/** The promise that was settled so. */
export function asPromise<T>(settled: PromiseSettledResult<T>): Promise<T> {
  return settled.status === 'fulfilled' ? Promise.resolve(settled.value) : Promise.reject(settled.reason);
}
