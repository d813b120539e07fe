import type { Jobs } from '#jobs';
import { plainFailure } from '#kernel';

/** The jobs of a program that runs none and knows of no place that others keep theirs in: whoever asks is refused. */
export function jobsElsewhere(): Jobs {
  const refuse = async () => {
    throw plainFailure('unavailable', 'REDIS_URL is not set, so that nothing is known here of jobs.');
  };
  return {
    start: () => undefined,
    reconcile: refuse,
    runNow: refuse,
    reach: refuse,
    schedules: refuse,
    runs: refuse,
    stop: async () => undefined,
  };
}
