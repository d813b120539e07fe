import type { Worker } from 'node:worker_threads';
import { usualRetryLimits } from './retry-limits.js';

/** How long a thread may take to answer. */
const ANSWER_MS = usualRetryLimits.attemptMs;

/** The one message of a thread. Rejects with what it died of, or when it says nothing in time. */
export function answerOf<Answer>(worker: Worker): Promise<Answer> {
  const silence = AbortSignal.timeout(ANSWER_MS);
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    silence.addEventListener('abort', () => reject(new Error('no answer in time')));
  });
}
