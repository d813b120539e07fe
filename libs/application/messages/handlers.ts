import type { ApplicationParts } from '../parts.js';
import { ForgetMessageHandler, MarkMessageHandler } from './handle.js';
import { ListMessagesHandler } from './list.js';
import { SendMessageHandler } from './send.js';

/** The handlers of what people write to the platform. */
export function messageHandlers(
  parts: Pick<ApplicationParts, 'aggregates' | 'readStore' | 'identity' | 'projections'>,
) {
  return [
    new ForgetMessageHandler(parts),
    new ListMessagesHandler(parts),
    new MarkMessageHandler(parts),
    new SendMessageHandler(parts),
  ];
}
