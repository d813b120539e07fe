import { invariant, unreachable, type RecordedEvent } from '#kernel';
import type { MessageEvent } from '#ledger';
import type { Document } from '#read-store';
import { defineReadModel, type Change } from '../read-model.js';

/** One message. What it says stays sealed here: it is opened when it is read, so that a destroyed key is enough. */
export type MessageDocument = Document & {
  readonly created: string;
  readonly sealed: string;
  readonly status: 'unread' | 'read';
  /** The customer who sent it; null for a visitor. */
  readonly userId: string | null;
};

function changed(
  message: MessageDocument | undefined,
  { at, data, position, type }: RecordedEvent<MessageEvent>,
): MessageDocument | undefined {
  if (type === 'MessageSent') {
    invariant(message === undefined, 'a message is sent once');
    const { messageId: id, sealed, userId = null } = data;
    return { created: at, id, position, sealed, status: 'unread', userId };
  }
  invariant(message !== undefined, `${type} of a message that is there`);
  switch (type) {
    case 'MessageRead':
      return { ...message, position, status: 'read' };
    case 'MessageUnread':
      return { ...message, position, status: 'unread' };
    case 'MessageForgotten':
      return undefined;
    default:
      return unreachable(type);
  }
}

/** One document a message that is not forgotten. */
export const messages = defineReadModel<MessageEvent, MessageDocument>({
  name: 'messages',
  version: 1,
  indexes: [
    { name: 'all', equals: [], order: ['created'] },
    { name: 'status', equals: ['status'], order: ['created'] },
  ],
  handles: ['MessageSent', 'MessageRead', 'MessageUnread', 'MessageForgotten'],
  on: (event): readonly Change<MessageDocument>[] => [
    { id: event.data.messageId, change: (message) => changed(message, event) },
  ],
  ownerOf: () => null,
});
