import { isLodeError, type ErrorCode, type LodeError } from '#kernel';
import type { Append, Appended, EventStore } from '#event-store';

/** What came of an append. */
export type Outcome =
  | { readonly kind: 'appended'; readonly appended: Appended }
  /** Somebody else has written to the stream since. */
  | { readonly kind: 'conflict' }
  /** No append holds so much. */
  | { readonly kind: 'too large'; readonly error: LodeError }
  /** Nothing was written. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It may have been written, or may yet be. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** What an engine says when it has certainly written nothing. */
const nothingWritten: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'overloaded',
  'storage_full',
  'storage_failed',
]);

/** Appends, and answers with what came of it; never throws. */
export async function appendOnce(store: EventStore, append: Append): Promise<Outcome> {
  try {
    return { kind: 'appended', appended: await store.append(append) };
  } catch (error) {
    return failureOf(error);
  }
}

/** Appends to many streams at once, and answers with what came of each; never throws. */
export async function appendTogether(
  store: EventStore,
  appends: readonly Append[],
): Promise<readonly Outcome[]> {
  try {
    const results = await store.appendMany(appends);
    return appends.map((_, n) => {
      const result = results[n];
      if (result?.status === 'fulfilled') return { kind: 'appended', appended: result.value };
      return failureOf(result?.reason ?? new Error('the log gave no answer to an append'));
    });
  } catch (error) {
    return appends.map(() => failureOf(error));
  }
}

function failureOf(error: unknown): Outcome {
  if (!isLodeError(error)) return { kind: 'unknown', error };
  if (error.code === 'conflict') return { kind: 'conflict' };
  if (error.code === 'body_too_large') return { kind: 'too large', error };
  return { kind: nothingWritten.has(error.code) ? 'failed' : 'unknown', error };
}
