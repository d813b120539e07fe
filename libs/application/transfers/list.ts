import type { ReceivedTransferPage, TransferPage, TransferView } from '#contracts';
import type { PersonKeys } from '#identity';
import { LodeError } from '#kernel';
import type { TransferDocument } from '#projections';
import { filtersIn, readPage, wholeInstants, type PageAsked } from '../paging.js';
import { nameOf } from '../people/names.js';
import type { Ports } from '../ports.js';
import {
  commonOf,
  countsOf,
  peopleOf,
  type CountsById,
  type People,
  type RequestSources,
} from '../requests/view.js';
import { decryptFields } from '../decrypted.js';
import { Query } from '../message.js';

/** What transfers are read from: their details are opened as they are read. */
type Sources = RequestSources & Pick<Ports, 'identity'>;
/** Which transfers are asked for, and which page of them. */
type Filter = PageAsked & {
  readonly userId?: string;
  readonly status?: string | undefined;
  readonly transferType?: string | undefined;
};

/** What a transfer's `details` hold encrypted. */
const detailFields = [
  'bankName',
  'bankAddress',
  'accountNumber',
  'routingNumber',
  'swiftBicIban',
  'accountName',
  'holderAddress',
  'narration',
] as const;

/** One page of transfers, newest first, as those who sent them and admins see them. */
export class ListTransfers extends Query<TransferPage> {
  constructor(readonly filter: Filter) {
    super();
  }
}

export class ListTransfersHandler {
  constructor(private readonly parts: Sources) {}

  async execute({ filter }: ListTransfers): Promise<TransferPage> {
    const { readStore, identity } = this.parts;
    const { userId, status, transferType } = filter;
    const equals = filtersIn({ userId, status, transferType });
    const page = await readPage(
      { ...filter, ...wholeInstants(filter), index: indexFor(equals), equals },
      (query) => readStore.list<TransferDocument>('transfers', query),
      ['createdAt', 'id'],
    );
    const people = await peopleOf(readStore, page.items, page.items.flatMap(receiversOf));
    const counts = await countsOf(this.parts, page.items);
    const items = page.items.map((row) => transferView(identity.personKeys, row, people, counts));
    return { ...page, items: await Promise.all(items) };
  }
}

/** One transfer of a customer. Refuses with `request_not_found`. */
export class GetTransfer extends Query<TransferView> {
  constructor(readonly named: { readonly userId: string; readonly requestId: string }) {
    super();
  }
}

export class GetTransferHandler {
  constructor(private readonly parts: Sources) {}

  async execute({ named }: GetTransfer): Promise<TransferView> {
    const { readStore, identity } = this.parts;
    const { userId, requestId } = named;
    const row = await readStore.get<TransferDocument>('transfers', requestId);
    if (row?.userId !== userId) throw new LodeError('request_not_found', 'There is no such request.');
    const people = await peopleOf(readStore, [row], receiversOf(row));
    return transferView(identity.personKeys, row, people, await countsOf(this.parts, [row]));
  }
}

/** One page of what a customer received, newest first: of the sender's own papers it shows the narration alone. */
export class ListReceivedTransfers extends Query<ReceivedTransferPage> {
  constructor(readonly filter: PageAsked & { readonly userId: string }) {
    super();
  }
}

export class ListReceivedTransfersHandler {
  constructor(private readonly parts: Sources) {}

  async execute({ filter }: ListReceivedTransfers): Promise<ReceivedTransferPage> {
    const { readStore, identity } = this.parts;
    const { userId, ...asked } = filter;
    const page = await readPage(
      { ...asked, ...wholeInstants(asked), index: 'receiver', equals: { receivedBy: userId } },
      (query) => readStore.list<TransferDocument>('transfers', query),
      ['deliveryAt', 'id'],
    );
    const people = await peopleOf(readStore, page.items);
    const items = page.items.map(async (row) => {
      const { id, amount, currency, converted, deliveryAt, position } = row;
      const sender = people.get(row.userId);
      const { narration } = await decryptFields(identity.personKeys, row.userId, row.details, ['narration']);
      const from = { accountName: nameOf(sender), accountNumber: sender?.accountNumber ?? '' };
      return { id, from, amount, currency, converted, narration, receivedAt: deliveryAt, position };
    });
    return { ...page, items: await Promise.all(items) };
  }
}

function receiversOf({ receiver }: TransferDocument): readonly string[] {
  return receiver === null ? [] : [receiver.userId];
}

/** A receiver's name is read from the receiver's own account, so that it goes when that person is erased. */
async function transferView(
  keys: PersonKeys,
  row: TransferDocument,
  people: People,
  counts: CountsById,
): Promise<TransferView> {
  const { balance, converted, delivery, deliveryAt, price, receiver, transferType, userId } = row;
  const details = await decryptFields(keys, userId, row.details, detailFields);
  const accountName = receiver === null ? details.accountName : nameOf(people.get(receiver.userId));
  return {
    ...commonOf(row, people, counts),
    transferType,
    receiver: receiver === null ? null : { accountNumber: receiver.accountNumber },
    details: { ...details, accountName },
    hold: { converted, price },
    delivery,
    deliveryAt: deliveryAt === '' ? null : deliveryAt,
    balance: balance === '' ? null : balance,
  };
}

/** The read model's index for a filter: a person's transfers have one for every filter, all people's one for each. */
function indexFor(equals: Readonly<Record<string, string>>): string {
  if ('userId' in equals) return 'user';
  if ('transferType' in equals) return 'status' in equals ? 'typeStatus' : 'type';
  return 'status' in equals ? 'status' : 'all';
}
