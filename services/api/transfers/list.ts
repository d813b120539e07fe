import type { ReceivedTransferPage, ReceivedTransferView, TransferPage, TransferView } from '#contracts';
import type { PersonKeys } from '#identity';
import { LodeError } from '#kernel';
import type { TransferDocument } from '#projections';
import type { Engines } from '../engines.js';
import type { Columns } from '../http/csv.js';
import { readPage, wholeInstants, type PageAsked } from '#application';
import { opened } from '#application';
import { commonOf, decisionColumns, firstColumns, peopleOf, type People } from '../requests/view.js';
import { nameOf } from '#application';

/** What transfers are read from: their details are opened as they are read. */
type Sources = Pick<Engines, 'readStore' | 'identity'>;
type Filter = PageAsked & {
  readonly userId?: string;
  readonly status?: string | undefined;
  readonly transferType?: string | undefined;
};

/** What a transfer's `details` hold encrypted. */
export const detailFields = [
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
export async function listTransfers(sources: Sources, filter: Filter): Promise<TransferPage> {
  const { readStore, identity } = sources;
  const { userId, status, transferType } = filter;
  const equals = Object.fromEntries(
    Object.entries({ userId, status, transferType }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const page = await readPage(
    { ...filter, ...wholeInstants(filter), index: indexFor(equals), equals },
    (query) => readStore.list<TransferDocument>('transfers', query),
    ['createdAt', 'id'],
  );
  const people = await peopleOf(readStore, page.items, page.items.flatMap(receiversOf));
  const items = page.items.map((row) => transferView(identity.personKeys, row, people));
  return { ...page, items: await Promise.all(items) };
}

/** One transfer of a customer. Refuses with `request_not_found`. */
export async function transferOf(
  { readStore, identity }: Sources,
  { userId, requestId }: { readonly userId: string; readonly requestId: string },
): Promise<TransferView> {
  const row = await readStore.get<TransferDocument>('transfers', requestId);
  if (row?.userId !== userId) throw new LodeError('request_not_found', 'There is no such request.');
  return transferView(identity.personKeys, row, await peopleOf(readStore, [row], receiversOf(row)));
}

/** One page of what a customer received, newest first: of the sender's own papers it shows the narration alone. */
export async function listReceived(
  { readStore, identity }: Sources,
  { userId, ...asked }: PageAsked & { readonly userId: string },
): Promise<ReceivedTransferPage> {
  const page = await readPage(
    { ...asked, ...wholeInstants(asked), index: 'receiver', equals: { receivedBy: userId } },
    (query) => readStore.list<TransferDocument>('transfers', query),
    ['deliveryAt', 'id'],
  );
  const people = await peopleOf(readStore, page.items);
  const items = page.items.map(async (row) => {
    const { id, amount, currency, converted, deliveryAt, position } = row;
    const sender = people.get(row.userId);
    const { narration } = await opened(identity.personKeys, row.userId, row.details, ['narration']);
    const from = { accountName: nameOf(sender), accountNumber: sender?.accountNumber ?? '' };
    return { id, from, amount, currency, converted, narration, receivedAt: deliveryAt, position };
  });
  return { ...page, items: await Promise.all(items) };
}

/** A transfer as a line of a file. */
export const transferColumns: Columns<TransferView> = [
  ['id', ({ id }) => id],
  ['transferType', ({ transferType }) => transferType],
  ...firstColumns,
  ['isCustomer', ({ receiver }) => receiver !== null],
  ['toName', ({ details }) => details.accountName],
  ['toAccountNumber', ({ details }) => details.accountNumber],
  ['bankName', ({ details }) => details.bankName],
  ['bankAddress', ({ details }) => details.bankAddress],
  ['routingNumber', ({ details }) => details.routingNumber],
  ['swiftBicIban', ({ details }) => details.swiftBicIban],
  ['holderAddress', ({ details }) => details.holderAddress],
  ['narration', ({ details }) => details.narration],
  ['price', ({ hold }) => hold.price],
  ['converted', ({ hold }) => hold.converted],
  ['delivery', ({ delivery }) => delivery],
  ['deliveryAt', ({ deliveryAt }) => deliveryAt],
  ['balance', ({ balance }) => balance],
  ...decisionColumns,
];

/** A transfer as a line of its receiver's file. */
export const receivedColumns: Columns<ReceivedTransferView> = [
  ['id', ({ id }) => id],
  ['receivedAt', ({ receivedAt }) => receivedAt],
  ['fromName', ({ from }) => from.accountName],
  ['fromAccountNumber', ({ from }) => from.accountNumber],
  ['amountUsd', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['converted', ({ converted }) => converted],
  ['narration', ({ narration }) => narration],
];

function receiversOf({ receiver }: TransferDocument): readonly string[] {
  return receiver === null ? [] : [receiver.userId];
}

/** A receiver's name is read from the receiver's own account, so that it goes when that person is erased. */
async function transferView(keys: PersonKeys, row: TransferDocument, people: People): Promise<TransferView> {
  const { balance, converted, delivery, deliveryAt, price, receiver, transferType, userId } = row;
  const details = await opened(keys, userId, row.details, detailFields);
  const accountName = receiver === null ? details.accountName : nameOf(people.get(receiver.userId));
  return {
    ...commonOf(row, people),
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
