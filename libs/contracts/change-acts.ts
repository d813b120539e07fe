import type { PlatformChange } from '#ledger';
import type { AdminAct } from './duties.js';

/** What takes a second admin where there is one who may, and which of an admin's things each of these is. */
export const changeActs = {
  'deposit-details': 'set the platform',
  'dollar-rate': 'set prices',
  prices: 'set prices',
  'bonus-policy': 'set the platform',
  'approval-limits': 'set the platform',
  duty: 'give duties',
  bonus: 'decide on money',
} as const satisfies Readonly<Record<PlatformChange['part'], AdminAct>>;

/** The kinds of changes that take a second admin. */
export const changeParts = [
  'deposit-details',
  'dollar-rate',
  'prices',
  'bonus-policy',
  'approval-limits',
  'duty',
  'bonus',
] as const satisfies readonly PlatformChange['part'][];
export type ChangePart = (typeof changeParts)[number];
