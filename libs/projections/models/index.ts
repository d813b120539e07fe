import type { ReadModel } from '../read-model.js';
import { accounts } from './accounts.js';
import { notifications } from './notifications.js';
import { products } from './products.js';
import { requests } from './requests.js';
import { totals } from './totals.js';
import { transactions } from './transactions.js';
import { transfers } from './transfers.js';

/** Every read model of the wallet. */
export const walletModels: readonly ReadModel[] = [
  accounts,
  requests,
  transfers,
  transactions,
  notifications,
  products,
  totals,
];

export { accounts, searchKey, type AccountDocument } from './accounts.js';
export { notifications, type NotificationDocument } from './notifications.js';
export { products, type ProductDocument } from './products.js';
export { requests, type RequestDocument } from './requests.js';
export { totals, TOTALS_ID, type TotalsDocument } from './totals.js';
export { transactions, type TransactionDocument } from './transactions.js';
export { transfers, type TransferDocument } from './transfers.js';
