import type { OpenRequest, OpenRequests } from '#contracts';
import type { RequestDocument, TransferDocument } from '#projections';
import type { Ports } from '../ports.js';
import { Query } from '../message.js';

/** The most open requests that one answer has. */
const OPEN_MAX = 50;

/** A customer's requests of all kinds that wait for a decision, newest first. */
export class ListOpenRequests extends Query<OpenRequests> {
  constructor(readonly userId: string) {
    super();
  }
}

export class ListOpenRequestsHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  async execute({ userId }: ListOpenRequests): Promise<OpenRequests> {
    const { readStore } = this.parts;
    const query = {
      index: 'user',
      equals: { userId, status: 'Pending' },
      direction: 'descending',
      limit: OPEN_MAX + 1,
    } as const;
    const [requests, transfers] = await Promise.all([
      readStore.list<RequestDocument>('requests', query),
      readStore.list<TransferDocument>('transfers', query),
    ]);
    const rows = [
      ...requests.map((row) => openRequest(row, row.type)),
      ...transfers.map((row) => openRequest(row, 'transfer')),
    ].sort((one, two) => (one.createdAt < two.createdAt ? 1 : one.createdAt > two.createdAt ? -1 : 0));
    return { items: rows.slice(0, OPEN_MAX), more: rows.length > OPEN_MAX };
  }
}

function openRequest(row: RequestDocument | TransferDocument, kind: OpenRequest['kind']): OpenRequest {
  const { id, amount, currency, createdAt, position } = row;
  return { id, kind, amount, currency, createdAt, position };
}
