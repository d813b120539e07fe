import { eventCodecs, plainCodec, type EventCodecs } from '#kernel';
import type { SecurityEvent } from './events.js';

/** How the events are stored: just as they are. */
export const securityCodecs: EventCodecs<SecurityEvent> = eventCodecs<SecurityEvent>({
  AttemptsLockedOut: plainCodec(),
  ListExported: plainCodec(),
  PersonRead: plainCodec(),
  RequestsForbidden: plainCodec(),
  RequestsLimited: plainCodec(),
  SignInsRefused: plainCodec(),
});
