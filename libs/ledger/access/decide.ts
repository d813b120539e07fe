import { unreachable } from '#kernel';
import type {
  AccessEvent,
  DiscardedEvent,
  EmailChangeFailure,
  EndReason,
  RefusalReason,
  SecondFactorChange,
} from './events.js';
import type { Access } from './state.js';

/** Refusals that are recorded within an hour of the first: a stranger who guesses must not fill somebody's stream. */
export const REFUSALS_PER_HOUR_MAX = 20;
/** Wrong transfer pins that are recorded until the pin is set anew; it is locked before. */
export const WRONG_PINS_MAX = 5;
/** How long the e-mail address of before is told what concerns the account's safety, in milliseconds: seven days. */
export const FORMER_EMAIL_TOLD_MS = 7 * 24 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;

/** A change of the e-mail address; `emails` are encrypted with the person's key. */
type EmailChange = { readonly changeId: string; readonly emails: string };

/** What identity has done and tells the log. `client` is encrypted with the person's key. */
export type AccessCommand =
  | {
      readonly type: 'RecordSignIn';
      readonly sessionId: string;
      readonly client?: string;
      readonly network?: 'new';
    }
  | { readonly type: 'RecordRefusal'; readonly why: RefusalReason; readonly client?: string }
  | {
      readonly type: 'RecordSessionEnd';
      readonly sessionId: string;
      readonly why: EndReason;
      readonly client?: string;
    }
  | { readonly type: 'RecordSessionsEnd'; readonly why: EndReason; readonly except?: string }
  | { readonly type: 'RecordPasswordChange'; readonly client?: string }
  | { readonly type: 'RecordPasswordReset'; readonly client?: string }
  | {
      readonly type: 'RecordSecondFactorChange';
      readonly change: SecondFactorChange;
      readonly client?: string;
    }
  | ({ readonly type: 'RecordEmailChangeAsked'; readonly client?: string } & EmailChange)
  | ({
      readonly type: 'RecordEmailChangeConfirmed';
      readonly epoch: number;
      readonly session: string;
      readonly client?: string;
    } & EmailChange)
  | ({ readonly type: 'RecordEmailChange' } & EmailChange)
  | {
      readonly type: 'RecordEmailChangeFailure';
      readonly why: EmailChangeFailure;
      readonly client?: string;
    }
  | { readonly type: 'RecordTransferPinSet'; readonly client?: string }
  | { readonly type: 'RecordTransferPinRefusal'; readonly triesLeft: number; readonly client?: string }
  /** In the stream of the admin who decided it. */
  | ({ readonly type: 'RecordParkedEventDiscard' } & DiscardedEvent);

/** What is recorded; `now` is an ISO instant. It refuses nothing: what it is told has happened. */
export function decide(command: AccessCommand, state: Access, now: string): readonly AccessEvent[] {
  switch (command.type) {
    case 'RecordSignIn': {
      const { type: _, ...data } = command;
      return state.sessions.includes(command.sessionId) ? [] : [{ type: 'SignedIn', data }];
    }
    case 'RecordRefusal': {
      const { type: _, ...refusal } = command;
      const counted = nextRefusal(state, now);
      return counted === undefined ? [] : [{ type: 'SignInRefused', data: { ...refusal, ...counted } }];
    }
    case 'RecordSessionEnd': {
      const { type: _, ...data } = command;
      return state.sessions.includes(command.sessionId) ? [{ type: 'SessionEnded', data }] : [];
    }
    case 'RecordSessionsEnd': {
      const { type: _, ...data } = command;
      const ended = state.sessions.some((one) => one !== command.except);
      return ended ? [{ type: 'SessionsEnded', data }] : [];
    }
    case 'RecordPasswordChange': {
      const { type: _, ...data } = command;
      return [{ type: 'PasswordChanged', data }];
    }
    case 'RecordPasswordReset': {
      const { type: _, ...data } = command;
      return [{ type: 'PasswordReset', data }];
    }
    case 'RecordSecondFactorChange': {
      const { type: _, ...data } = command;
      return [{ type: 'SecondFactorChanged', data }];
    }
    case 'RecordEmailChangeAsked': {
      const { type: _, ...data } = command;
      return [{ type: 'EmailChangeAsked', data }];
    }
    case 'RecordEmailChangeConfirmed': {
      const { type: _, ...data } = command;
      return [{ type: 'EmailChangeConfirmed', data }];
    }
    case 'RecordEmailChange': {
      const { type: _, ...data } = command;
      const formerToldUntil = new Date(Date.parse(now) + FORMER_EMAIL_TOLD_MS).toISOString();
      return [{ type: 'EmailChanged', data: { ...data, formerToldUntil } }];
    }
    case 'RecordEmailChangeFailure': {
      const { type: _, ...data } = command;
      return [{ type: 'EmailChangeFailed', data }];
    }
    case 'RecordTransferPinSet': {
      const { type: _, ...data } = command;
      return [{ type: 'TransferPinSet', data }];
    }
    case 'RecordTransferPinRefusal': {
      const { type: _, ...data } = command;
      return state.wrongPins >= WRONG_PINS_MAX ? [] : [{ type: 'TransferPinRefused', data }];
    }
    case 'RecordParkedEventDiscard': {
      const { type: _, ...data } = command;
      return [{ type: 'ParkedEventDiscarded', data }];
    }
    default:
      return unreachable(command);
  }
}

/** The number of one more refusal in its hour; undefined when the hour has as many as are recorded. */
function nextRefusal({ refusals }: Access, now: string): { since: string; count: number } | undefined {
  if (refusals === undefined || Date.parse(now) - Date.parse(refusals.since) >= HOUR_MS)
    return { since: now, count: 1 };
  if (refusals.count >= REFUSALS_PER_HOUR_MAX) return undefined;
  return { since: refusals.since, count: refusals.count + 1 };
}
