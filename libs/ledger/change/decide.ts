import { LodeError, unreachable } from '#kernel';
import type { ChangeEvent, PlatformChange } from './events.js';
import type { Change } from './state.js';

export type ChangeCommand =
  | {
      readonly type: 'AskForChange';
      readonly changeId: string;
      readonly change: PlatformChange;
      readonly by: string;
      readonly until: string;
    }
  /** `deciders` are the admins who may make such a change now. */
  | { readonly type: 'ApproveChange'; readonly by: string; readonly deciders: ReadonlySet<string> }
  | { readonly type: 'RejectChange'; readonly by: string; readonly deciders: ReadonlySet<string> }
  /** What was approved is made. */
  | { readonly type: 'CloseChange' }
  /** What was approved can't be made any more. */
  | { readonly type: 'RefuseChange'; readonly code: string };

type Asked = Extract<Change, { readonly kind: 'asked' }>;

/**
 * What a change answers to a command; `now` is an ISO instant. Refuses with `request_not_found`, `request_closed`, `approval_expired`;
 * with `own_request` whoever approves what they asked for; and with `not_permitted` where either of the two may not make such a
 * change any more.
 */
export function decide(command: ChangeCommand, state: Change, now: string): readonly ChangeEvent[] {
  if (command.type === 'AskForChange') {
    const { changeId, change, by, until } = command;
    return state.kind === 'none' ? [{ type: 'ChangeAsked', data: { ...change, changeId, by, until } }] : [];
  }
  if (state.kind === 'none') throw new LodeError('request_not_found', 'There is no such change.');
  const { changeId } = state;
  switch (command.type) {
    case 'ApproveChange':
      refuseClosed(state);
      refuseApproval(command, state, now);
      return [{ type: 'ChangeApproved', data: { changeId, by: command.by } }];
    case 'RejectChange':
      refuseClosed(state);
      refuseWhoMayNot(command);
      return [{ type: 'ChangeRejected', data: { changeId, by: command.by } }];
    case 'CloseChange':
      return state.status === 'approved' ? [{ type: 'ChangeMade', data: { changeId } }] : [];
    case 'RefuseChange':
      return state.status === 'approved'
        ? [{ type: 'ChangeRefused', data: { changeId, code: command.code } }]
        : [];
    default:
      return unreachable(command);
  }
}

type Decision = { readonly by: string; readonly deciders: ReadonlySet<string> };

function refuseClosed({ status }: Asked): void {
  if (status !== 'Pending') throw new LodeError('request_closed', 'Transaction Closed');
}

function refuseWhoMayNot({ by, deciders }: Decision): void {
  if (!deciders.has(by)) throw new LodeError('not_permitted', 'Your duty doesn’t let you decide this.');
}

function refuseApproval(decision: Decision, { by, until }: Asked, now: string): void {
  refuseWhoMayNot(decision);
  if (decision.by === by)
    throw new LodeError('own_request', 'This is your own. Another admin has to decide it.');
  if (!decision.deciders.has(by))
    throw new LodeError('not_permitted', 'Whoever asked for this may not any more. Please ask for it again.');
  if (until <= now)
    throw new LodeError('approval_expired', 'This change has waited too long. Please ask for it again.');
}
