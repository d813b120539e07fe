import { hasCode } from '#kernel';
import { until } from './until.js';

/**
 * What `open` gives, called again while the server is said to be away: on a busy machine, whoever waits for it for so short a
 * time may give up before it answers. Every other failure is thrown.
 */
export function opened<T extends object>(open: () => Promise<T>): Promise<T> {
  return until(() =>
    open().catch((error: unknown) => {
      if (hasCode(error, 'unavailable') || hasCode(error, 'unknown_outcome')) return undefined;
      throw error;
    }),
  );
}
