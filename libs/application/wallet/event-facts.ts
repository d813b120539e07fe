import type { StreamEvent } from '#kernel';
import { descriptionOf } from '../transactions/words.js';

/** What an event of an account says of itself to the person whose it is. */
export function factsOf({ at, data, id, meta, position, revision, type }: StreamEvent) {
  const request = data['requestId'] ?? data['transferId'];
  return {
    eventId: id,
    type,
    description: descriptionOf(type),
    revision,
    ...(position === undefined ? {} : { position }),
    at,
    ...(typeof request === 'string' ? { requestId: request } : {}),
    ...(meta.reason === undefined ? {} : { reason: meta.reason }),
  };
}
