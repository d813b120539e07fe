import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { MessagePage } from '#contracts';
import type { MessageDocument } from '#projections';
import { readPage, wholeInstants, type PageAsked } from '../paging.js';
import type { Ports } from '../ports.js';
import { decryptWords } from './words.js';

/** One page of messages, newest first: their words are opened as they are read. */
export class ListMessages extends Query<MessagePage> {
  constructor(readonly filter: PageAsked & { readonly status?: string | undefined }) {
    super();
  }
}

@QueryHandler(ListMessages)
export class ListMessagesHandler implements IQueryHandler<ListMessages> {
  constructor(private readonly parts: Pick<Ports, 'readStore' | 'identity'>) {}

  async execute({ filter: { status, ...asked } }: ListMessages): Promise<MessagePage> {
    const { readStore, identity } = this.parts;
    const filter =
      status === undefined ? { index: 'all', equals: {} } : { index: 'status', equals: { status } };
    const page = await readPage(
      { ...asked, ...wholeInstants(asked), ...filter },
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
