import type { TrialBalance } from '#contracts';

export type LedgerClass = TrialBalance['lines'][number]['account'];

/** Kinds of accounts as people say them. */
export const classNames: Readonly<Record<LedgerClass, string>> = {
  customersAvailable: 'Customers, available',
  customersHeld: 'Customers, on hold',
  transit: 'On its way',
  deposits: 'Deposits',
  payouts: 'Payouts',
  bonus: 'Promotional bonus',
  adjustments: 'Adjustments by hand',
};

/** As of when: an instant, a place of the log, or now. */
export type Moment = { readonly at?: string; readonly position?: string };

/** The moment that an address asks for; now where it says nothing that is one. */
export function momentIn(search: URLSearchParams): Moment {
  const at = search.get('at');
  const position = search.get('position');
  if (at !== null && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) && !Number.isNaN(Date.parse(at))) return { at };
  return position !== null && /^(?:0|[1-9]\d{0,19})$/.test(position) ? { position } : {};
}
