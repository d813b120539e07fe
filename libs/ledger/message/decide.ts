import { LodeError, unreachable } from '#kernel';
import type { MessageEvent } from './events.js';
import type { Message } from './state.js';

export type MessageCommand =
  | {
      readonly type: 'SendMessage';
      readonly messageId: string;
      readonly userId: string | undefined;
      readonly sealed: string;
    }
  | { readonly type: 'ReadMessage' }
  | { readonly type: 'UnreadMessage' }
  | { readonly type: 'ForgetMessage' };

/**
 * What a message answers to a command. Refuses with `message_not_found` when it was never sent, or is forgotten and the
 * command is not to forget it.
 */
export function decide(command: MessageCommand, state: Message): readonly MessageEvent[] {
  if (command.type === 'SendMessage') return send(command, state);
  if (state.kind === 'none') throw missing();
  const { messageId } = state;
  if (state.kind === 'forgotten') {
    if (command.type === 'ForgetMessage') return [];
    throw missing();
  }
  switch (command.type) {
    case 'ReadMessage':
      return state.isRead ? [] : [{ type: 'MessageRead', data: { messageId } }];
    case 'UnreadMessage':
      return state.isRead ? [{ type: 'MessageUnread', data: { messageId } }] : [];
    case 'ForgetMessage':
      return [{ type: 'MessageForgotten', data: { messageId } }];
    default:
      return unreachable(command);
  }
}

function send(
  { messageId, userId, sealed }: Extract<MessageCommand, { type: 'SendMessage' }>,
  state: Message,
): readonly MessageEvent[] {
  // Its id is its sender's alone, so that whoever sends it is sending it again.
  if (state.kind === 'sent') return [];
  if (state.kind === 'forgotten') throw missing();
  const sender = userId === undefined ? {} : { userId };
  return [{ type: 'MessageSent', data: { messageId, ...sender, sealed } }];
}

function missing(): LodeError {
  return new LodeError('message_not_found', 'There is no such message.');
}
