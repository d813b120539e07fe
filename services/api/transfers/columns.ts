import type { ReceivedTransferView, TransferView } from '#contracts';
import type { Columns } from '../http/csv.js';
import { decisionColumns, firstColumns } from '../requests/columns.js';

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
