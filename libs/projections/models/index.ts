import type { ReadModel } from '../read-model.js';
import { accounts } from './accounts.js';
import { events } from './events.js';
import { requests } from './requests.js';
import { totals } from './totals.js';
import { trialBalance } from './trial-balance.js';

/** Every read model of the wallet. */
export const walletModels: readonly ReadModel[] = [accounts, requests, totals, trialBalance, events];

export { accounts, type AccountDocument } from './accounts.js';
export { eventKey, eventPlace, events, isPersonal, partsOf, type EventDocument } from './events.js';
export { requests, type RequestDocument } from './requests.js';
export { totals, TOTALS_ID, type TotalsDocument } from './totals.js';
export {
  addDeltas,
  bucketLevels,
  bucketOf,
  bucketRange,
  deltasOf,
  postingsIn,
  sumsKey,
  trialBalance,
  type BucketLevel,
  type Deltas,
  type Sums,
  type TrialBalanceDocument,
} from './trial-balance.js';
