import { eventCodecs, plainCodec, type EventCodecs } from '#kernel';
import type { MessageEvent } from './events.js';

/** How the events are stored: just as they are. */
export const messageCodecs: EventCodecs<MessageEvent> = eventCodecs<MessageEvent>({
  MessageSent: plainCodec(),
  MessageRead: plainCodec(),
  MessageUnread: plainCodec(),
  MessageForgotten: plainCodec(),
});
