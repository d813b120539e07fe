import { unreachable } from '#kernel';
import type { AccessEvent } from './events.js';

/** Sessions that a stream remembers as open; more than a person can have at once. The oldest is forgotten first. */
export const SESSIONS_REMEMBERED = 64;

/** Changes of the e-mail address that are remembered. So many are not made while those before are told of still. */
export const EMAIL_CHANGES_REMEMBERED = 8;

/** An e-mail address of before, encrypted with the one after it, and until when it is told what concerns the account's safety. */
export type FormerEmail = { readonly changeId: string; readonly emails: string; readonly toldUntil: string };

/** What one person's stream must know to keep its record short and true. It is no list of sessions: identity has that. */
export type Access = {
  /** Sessions that began and of which no end is recorded, oldest first. Some of them have run out by themselves. */
  readonly sessions: readonly string[];
  /** The hour of refusals that was counted last; none before the first refusal. */
  readonly refusals: { readonly since: string; readonly count: number } | undefined;
  /** Wrong transfer pins since the pin was set. */
  readonly wrongPins: number;
  /** E-mail addresses of before, the last one last; the times of some are over. */
  readonly formerEmails: readonly FormerEmail[];
};

/** A person of whom nothing is recorded. */
export const noAccess: Access = { sessions: [], refusals: undefined, wrongPins: 0, formerEmails: [] };

/** Folds one event into the record. */
export function evolve(state: Access, event: AccessEvent): Access {
  switch (event.type) {
    case 'SignedIn': {
      const others = state.sessions.filter((one) => one !== event.data.sessionId);
      return { ...state, sessions: [...others, event.data.sessionId].slice(-SESSIONS_REMEMBERED) };
    }
    case 'SignInRefused':
      return { ...state, refusals: { since: event.data.since, count: event.data.count } };
    case 'SessionEnded':
      return { ...state, sessions: state.sessions.filter((one) => one !== event.data.sessionId) };
    case 'SessionsEnded':
      return { ...state, sessions: state.sessions.filter((one) => one === event.data.except) };
    case 'PasswordChanged':
    case 'PasswordReset':
    case 'SecondFactorChanged':
    case 'EmailChangeAsked':
    case 'EmailChangeConfirmed':
    case 'EmailChangeFailed':
    case 'ParkedEventDiscarded':
      return state;
    case 'EmailChanged': {
      const { changeId, emails, formerToldUntil: toldUntil } = event.data;
      const formerEmails = [...state.formerEmails, { changeId, emails, toldUntil }];
      return { ...state, formerEmails: formerEmails.slice(-EMAIL_CHANGES_REMEMBERED) };
    }
    case 'TransferPinSet':
      return { ...state, wrongPins: 0 };
    case 'TransferPinRefused':
      return { ...state, wrongPins: state.wrongPins + 1 };
    default:
      return unreachable(event);
  }
}
