import { invariant, type Position } from '#kernel';
import { messageStream } from '#ledger';
import type { Document } from '#read-store';
import { readModel, type Handler } from '../read-model.js';
import type { EventsOf } from './streams.js';

/** One message. What it says stays encrypted here: it is decrypted when it is read, so that a destroyed key is enough. */
export type MessageDocument = Document & {
  readonly created: string;
  readonly sealed: string;
  readonly status: 'unread' | 'read';
  /** The customer who sent it; null for a visitor. */
  readonly userId: string | null;
};

/** The handler of an event of a message that is there. */
function changes(
  change: (message: MessageDocument, position: Position) => MessageDocument | undefined,
): Handler<EventsOf<'message'>, MessageDocument> {
  return ({ data, position, type }) => [
    {
      id: data.messageId,
      change: (message) => {
        invariant(message !== undefined, `${type} of a message that is there`);
        return change(message, position);
      },
    },
  ];
}

/** One document a message that is not forgotten. */
export const messages = readModel<EventsOf<'message'>, MessageDocument>({
  name: 'messages',
  version: 2,
  oldestServed: 2,
  indexes: [
    { name: 'all', equals: [], order: ['created'] },
    { name: 'status', equals: ['status'], order: ['created'] },
    { name: 'user', equals: ['userId'], order: ['created'], sparse: true },
  ],
  on: {
    MessageSent: ({ at, data: { messageId: id, sealed, userId = null }, position }) => [
      {
        id,
        change: (message) => {
          invariant(message === undefined, 'a message is sent once');
          return { created: at, id, position, sealed, status: 'unread', userId };
        },
      },
    ],
    MessageRead: changes((message, position) => ({ ...message, position, status: 'read' })),
    MessageUnread: changes((message, position) => ({ ...message, position, status: 'unread' })),
    MessageForgotten: changes(() => undefined),
  },
  ownerOf: () => null,
  streamOf: messageStream,
});
