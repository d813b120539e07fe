import { invariant, unreachable } from '#kernel';
import type { ChangeEvent, PlatformChange } from './events.js';

/** A change that takes a second admin. */
export type Change =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'asked';
      readonly changeId: string;
      readonly change: PlatformChange;
      readonly by: string;
      readonly until: string;
      /** Approved is what is to be made, made what was; refused is what was approved and could not be made any more. */
      readonly status: 'Pending' | 'approved' | 'made' | 'rejected' | 'refused';
    };

/** A change that nobody asked for. */
export const noChange: Change = { kind: 'none' };

/** Folds one event into the change. */
export function evolve(state: Change, event: ChangeEvent): Change {
  if (event.type === 'ChangeAsked') {
    invariant(state.kind === 'none', 'a change is asked for once');
    const { changeId, by, until, ...change } = event.data;
    return { kind: 'asked', changeId, by, until, change, status: 'Pending' };
  }
  invariant(state.kind === 'asked', 'a change is decided after it was asked for');
  switch (event.type) {
    case 'ChangeApproved':
      invariant(state.status === 'Pending', 'a change is decided once');
      return { ...state, status: 'approved' };
    case 'ChangeRejected':
      invariant(state.status === 'Pending', 'a change is decided once');
      return { ...state, status: 'rejected' };
    case 'ChangeMade':
      invariant(state.status === 'approved', 'a change is made once, after it was approved');
      return { ...state, status: 'made' };
    case 'ChangeRefused':
      invariant(state.status === 'approved', 'a change is refused once, after it was approved');
      return { ...state, status: 'refused' };
    default:
      return unreachable(event);
  }
}
