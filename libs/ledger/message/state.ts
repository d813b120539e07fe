import { invariant, unreachable } from '#kernel';
import type { MessageEvent } from './events.js';

export type Message =
  | { readonly kind: 'none' }
  | { readonly kind: 'sent'; readonly messageId: string; readonly isRead: boolean }
  | { readonly kind: 'forgotten'; readonly messageId: string };

/** A message nobody sent. */
export const noMessage: Message = { kind: 'none' };

/** Folds one event into the message. */
export function evolve(state: Message, event: MessageEvent): Message {
  if (event.type === 'MessageSent') {
    invariant(state.kind === 'none', 'a message is sent once');
    return { kind: 'sent', messageId: event.data.messageId, isRead: false };
  }
  invariant(state.kind === 'sent', `${event.type} of a message that is there`);
  switch (event.type) {
    case 'MessageRead':
      return { ...state, isRead: true };
    case 'MessageUnread':
      return { ...state, isRead: false };
    case 'MessageForgotten':
      return { kind: 'forgotten', messageId: state.messageId };
    default:
      return unreachable(event);
  }
}
