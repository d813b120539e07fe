import type { MessagePage, MessageView } from '#contracts';
import type { MessageDocument } from '#projections';
import type { Engines } from '../engines.js';
import type { Columns } from '../http/csv.js';
import { readPage, wholeInstants, type PageAsked } from '#application';
import { openWords } from '#application';

/** One page of messages, newest first: their words are opened as they are read. */
export async function listMessages(
  { readStore, identity }: Pick<Engines, 'readStore' | 'identity'>,
  { status, ...asked }: PageAsked & { readonly status?: string | undefined },
): Promise<MessagePage> {
  const filter =
    status === undefined ? { index: 'all', equals: {} } : { index: 'status', equals: { status } };
  const page = await readPage(
    { ...asked, ...wholeInstants(asked), ...filter },
    (rows) => readStore.list<MessageDocument>('messages', rows),
    ['created', 'id'],
  );
  const items = page.items.map(async (row) => {
    const { id, created, position, userId } = row;
    const words = await openWords(identity.personKeys, row);
    return { id, created, isRead: row.status === 'read', userId, ...words, position };
  });
  return { ...page, items: await Promise.all(items) };
}

/** A message as a line of a file. */
export const messageColumns: Columns<MessageView> = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => created],
  ['isRead', ({ isRead }) => isRead],
  ['userId', ({ userId }) => userId],
  ['name', ({ name }) => name],
  ['email', ({ email }) => email],
  ['phone', ({ phone }) => phone],
  ['businessType', ({ businessType }) => businessType],
  ['subject', ({ subject }) => subject],
  ['message', ({ message }) => message],
];
