import type { ReadModel } from '../read-model.js';
import { accounts } from './accounts.js';
import { requests } from './requests.js';
import { totals } from './totals.js';

/** Every read model of the wallet. */
export const walletModels: readonly ReadModel[] = [accounts, requests, totals];

export { accounts, type AccountDocument } from './accounts.js';
export { requests, type RequestDocument } from './requests.js';
export { totals, TOTALS_ID, type TotalsDocument } from './totals.js';
