import type { MessagePage } from '#contracts';
import type { MessageDocument } from '#projections';
import { readPage, wholeInstants, type PageAsked } from '../paging.js';
import type { Ports } from '../ports.js';
import { decryptWords } from './words.js';
import { Query } from '../message.js';

/** Which messages are asked for: those with a status, or those of a customer. */
type Which =
  | { readonly status?: string | undefined; readonly userId?: never }
  | { readonly userId: string; readonly status?: never };

/** One page of messages, or of those that one customer sent, newest first: their words are opened as they are read. */
export class ListMessages extends Query<MessagePage> {
  constructor(readonly filter: PageAsked & Which) {
    super();
  }
}

export class ListMessagesHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore' | 'identity'>) {}

  async execute({ filter: { status, userId: sender, ...asked } }: ListMessages): Promise<MessagePage> {
    const { readStore, identity } = this.parts;
    const page = await readPage(
      { ...asked, ...wholeInstants(asked), ...listOf(status, sender) },
      (rows) => readStore.list<MessageDocument>('messages', rows),
      ['created', 'id'],
    );
    const items = page.items.map(async (row) => {
      const { id, created, position, userId } = row;
      const words = await decryptWords(identity.personKeys, row);
      return { id, created, isRead: row.status === 'read', userId, ...words, position };
    });
    return { ...page, items: await Promise.all(items) };
  }
}

/** The read model's index for a filter. */
function listOf(status: string | undefined, userId: string | undefined) {
  if (userId !== undefined) return { index: 'user', equals: { userId } };
  return status === undefined ? { index: 'all', equals: {} } : { index: 'status', equals: { status } };
}
