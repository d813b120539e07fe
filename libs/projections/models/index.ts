import type { ReadModel } from '../read-model.js';
import { accounts } from './accounts.js';
import { messages } from './messages.js';
import { requests } from './requests.js';
import { settings } from './settings.js';
import { totals } from './totals.js';

/** Every read model of the wallet. */
export const walletModels: readonly ReadModel[] = [accounts, requests, totals, settings, messages];

export { accounts, type AccountDocument } from './accounts.js';
export { messages, type MessageDocument } from './messages.js';
export { requests, type RequestDocument } from './requests.js';
export { settings, type SettingsDocument } from './settings.js';
export { totals, TOTALS_ID, type TotalsDocument } from './totals.js';
