import type { ReadModel } from '../read-model.js';
import { accounts } from './accounts.js';
import { approvals } from './approvals.js';
import { changes } from './changes.js';
import { dailySums } from './daily-sums.js';
import { events } from './events.js';
import { invitations } from './invitations.js';
import { messages } from './messages.js';
import { notifications } from './notifications.js';
import { products } from './products.js';
import { requests } from './requests.js';
import { settings } from './settings.js';
import { totals } from './totals.js';
import { transactions } from './transactions.js';
import { transfers } from './transfers.js';
import { trialBalance } from './trial-balance.js';

/** Every read model of the wallet. */
export const walletModels: readonly ReadModel[] = [
  accounts,
  requests,
  transfers,
  transactions,
  notifications,
  products,
  totals,
  settings,
  messages,
  approvals,
  changes,
  invitations,
  trialBalance,
  dailySums,
  events,
];

export {
  accounts,
  searchKey,
  withEveryBalance,
  withoutParticulars,
  type AccountDocument,
} from './accounts.js';
export { invitations, type InvitationDocument } from './invitations.js';
export { approvals, type ApprovalDocument } from './approvals.js';
export { changes, type ChangeDocument } from './changes.js';
export { dailySumNames, dailySums, sumsId, type DailySumName, type DailySumsDocument } from './daily-sums.js';
export { messages, type MessageDocument } from './messages.js';
export { notifications, type NotificationDocument } from './notifications.js';
export { products, type ProductDocument } from './products.js';

export {
  eventKey,
  eventPlace,
  events,
  isPersonal,
  otherIn,
  streamOf,
  timeOfPlace,
  type EventDocument,
} from './events.js';
export { requests, type RequestDocument } from './requests.js';
export { priceId, settings, type SettingsDocument } from './settings.js';
export { noTotals, totals, TOTALS_ID, withEverySum, type TotalsDocument } from './totals.js';
export { transactions, type TransactionDocument } from './transactions.js';
export { transfers, type TransferDocument } from './transfers.js';
export {
  bucketLevels,
  bucketRange,
  deltasOf,
  postingsIn,
  sumsKey,
  trialBalance,
  type BucketLevel,
  type Deltas,
  type TrialBalanceDocument,
} from './trial-balance.js';
