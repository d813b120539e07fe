import { fundHistoryOf, transferHistoryOf, withdrawalHistoryOf } from '../paths';

/** What an id leads to. */
export type FoundThing = { readonly label: string; readonly to: string };
/** How far a look-up is: `none` where what was typed is no id, `unknown so far` where more was received than is looked at. */
export type FoundId =
  | { readonly phase: 'none' | 'looking' | 'failed' | 'unknown' | 'unknown so far' }
  | { readonly phase: 'found'; readonly thing: FoundThing };

const REQUEST_ID = /^[A-Za-z0-9]{34}$/;

const lists = {
  Funding: fundHistoryOf,
  Withdrawal: withdrawalHistoryOf,
  Transfer: transferHistoryOf,
} as const;
const names = { Funding: 'Fund request', Withdrawal: 'Withdrawal', Transfer: 'Transfer' } as const;

export type RequestKind = keyof typeof lists;

/** What was typed, where it is the id of a request. */
export function requestIdIn(typed: string): string | undefined {
  return REQUEST_ID.test(typed.trim()) ? typed.trim() : undefined;
}

/** A request in the list of its kind, whose address opens it. */
export function foundRequest(kind: RequestKind, userId: string, id: string): FoundThing {
  return { label: `${names[kind]} ${id}`, to: `${lists[kind](userId)}?request=${id}` };
}
