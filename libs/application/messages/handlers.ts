import type { ApplicationParts } from '../parts.js';
import { ForgetMessage, ForgetMessageHandler, MarkMessage, MarkMessageHandler } from './handle.js';
import { ListMessages, ListMessagesHandler } from './list.js';
import { SendMessage, SendMessageHandler } from './send.js';
import { handledBy } from '../message.js';

/** The handlers of what people write to the platform. */
export function messageHandlers(
  parts: Pick<ApplicationParts, 'aggregates' | 'readStore' | 'identity' | 'projections'>,
) {
  return [
    handledBy(ForgetMessage, new ForgetMessageHandler(parts)),
    handledBy(ListMessages, new ListMessagesHandler(parts)),
    handledBy(MarkMessage, new MarkMessageHandler(parts)),
    handledBy(SendMessage, new SendMessageHandler(parts)),
  ];
}
