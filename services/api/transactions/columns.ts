import type { NotificationView, TransactionView } from '#contracts';
import type { Columns } from '../http/csv.js';

/** A movement as a line of a file. */
export const transactionColumns: Columns<TransactionView> = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => created],
  ['customer', ({ customer }) => customer],
  ['userId', ({ userId }) => userId],
  ['type', ({ type }) => type],
  ['description', ({ description }) => description],
  ['amountUsd', ({ amount }) => amount],
  ['balanceUsd', ({ balance }) => balance],
  ['currency', ({ currency }) => currency],
  ['converted', ({ converted }) => converted],
  ['currencyBalance', ({ currencyBalance }) => currencyBalance],
  ['requestId', ({ requestId }) => requestId],
];

/** A notification as a line of a file. */
export const notificationColumns: Columns<NotificationView> = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => created],
  ['kind', ({ kind }) => kind],
  ['sentence', ({ sentence }) => sentence],
  ['amountUsd', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['reason', ({ reason }) => reason],
  ['requestId', ({ requestId }) => requestId],
];
