import { invariant, LodeError } from '#kernel';
import { accountActive } from '../blocked.js';
import { availableOf } from '../chart.js';
import { paymentCurrencies } from '../currencies.js';
import type { AcceptedTexts, AccountEvent, DelayReason, StoredFile } from './events.js';
import { evolve, type Account, type OpenAccount } from './state.js';
import { movement, payable, type Prices } from './conversion.js';

export type PersonCommand =
  | {
      readonly type: 'OpenAccount';
      readonly userId: string;
      readonly accountNumber: string;
      readonly role: 'user' | 'admin';
      readonly profile: string;
      /** The e-mail address counts as verified unless this says otherwise. */
      readonly isUnverified?: boolean;
      /** What the person accepted by registering; nothing where no text was shown. */
      readonly accepted?: AcceptedTexts;
    }
  /**
   * The whole profile as it is to be, encrypted; the very text that the account has changes nothing. `was` is the profile
   * that this one was made of.
   */
  | {
      readonly type: 'ChangeProfile';
      readonly profile: string;
      readonly was?: string;
      /** What changes is how far its owner has read, and nothing that is asked for. */
      readonly isMark?: true;
    }
  | { readonly type: 'ChangeProfileImage'; readonly image: StoredFile }
  /** Whoever has taken the account over is to be noticed before they get money out of it. */
  | { readonly type: 'DelayMoneyOut'; readonly why: DelayReason; readonly waitMs: number }
  | { readonly type: 'VerifyEmail' }
  | { readonly type: 'Suspend' }
  | { readonly type: 'Activate' }
  | {
      readonly type: 'ForgetPerson';
      readonly prices: Prices;
      /** Not one who may come in: whoever is at work is erased by no slip of somebody else. */
      readonly onlyBlocked?: true;
    };

type Of<Type extends PersonCommand['type']> = Extract<PersonCommand, { type: Type }>;

/** An account is opened once; the same opening again is fine. */
export function open(command: Of<'OpenAccount'>, state: Account): readonly AccountEvent[] {
  const { userId, accountNumber, role, profile, isUnverified = false, accepted = {} } = command;
  if (state.kind === 'none')
    return [
      { type: 'AccountOpened', data: { userId, accountNumber, role, profile } },
      ...(Object.keys(accepted).length > 0 ? [{ type: 'TermsAccepted', data: accepted } as const] : []),
      ...(isUnverified ? [{ type: 'EmailVerificationAsked', data: {} } as const] : []),
    ];
  if (state.accountNumber === accountNumber && state.role === role) return [];
  throw new LodeError('account_exists', 'User already exists');
}

/** Refuses with `conflict` a profile that was made of another one than is there: somebody's change would be lost. */
export function changeProfile(
  { profile, was }: Of<'ChangeProfile'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  if (was !== undefined && was !== state.profile)
    throw new LodeError('conflict', 'The profile was changed in the meantime. Try again.');
  return profile === state.profile ? [] : [{ type: 'ProfileChanged', data: { profile } }];
}

export function changeProfileImage(
  { image }: Of<'ChangeProfileImage'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  return image.fileId === state.image?.fileId ? [] : [{ type: 'ProfileImageChanged', data: { image } }];
}

/** No money leaves a customer's account for so long from now on; a later end than this one's stays. */
export function delayMoneyOut(
  { why, waitMs }: Of<'DelayMoneyOut'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const until = new Date(Date.parse(now) + waitMs).toISOString();
  const ends = Date.parse(state.moneyOut?.until ?? now);
  if (state.role !== 'user' || Date.parse(until) <= ends) return [];
  return [{ type: 'MoneyOutDelayed', data: { until, why } }];
}

const because: Readonly<Record<DelayReason, string>> = {
  password_reset: 'your password was reset',
  email_changed: 'your e-mail address was changed',
  second_factor_removed: 'your second factor was removed',
};

/** The account, which money may leave at `now`. Refuses with `money_out_waits`, whose details have `until` and `why`. */
export function mayPayOut(state: OpenAccount, now: string): OpenAccount {
  const { moneyOut } = state;
  if (moneyOut === null || Date.parse(moneyOut.until) <= Date.parse(now)) return state;
  const { until, why } = moneyOut;
  const instant = `${until.slice(0, 10)} ${until.slice(11, 16)} UTC`;
  const message = `Because ${because[why]}, no money can leave your account before ${instant}.`;
  throw new LodeError('money_out_waits', message, { until, why });
}

/** The person has shown that the e-mail address is theirs. */
export function verifyEmail(state: OpenAccount): readonly AccountEvent[] {
  return state.isEmailVerified ? [] : [{ type: 'EmailVerified', data: {} }];
}

/** Specification, section 4: blocked and suspended are one thing, until the account is activated again. */
export function suspend(state: OpenAccount): readonly AccountEvent[] {
  return state.status === 'suspended' ? [] : [{ type: 'AccountSuspended', data: {} }];
}

export function activate(state: OpenAccount): readonly AccountEvent[] {
  return state.status === 'active' ? [] : [{ type: 'AccountActivated', data: {} }];
}

/**
 * Closes an account for ever. What its owner is owed must have been paid first: nobody could say afterwards whose it is.
 * What could not be paid in any currency, because prices moved or it is less than a cent, is written off. Adjustments that
 * wait for other admins end: nobody could approve them any more.
 */
export function forgetPerson(
  { prices, onlyBlocked }: Of<'ForgetPerson'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  if (state.status === 'closed') return [];
  if (onlyBlocked === true && state.status === 'active') throw accountActive();
  const isOwed = paymentCurrencies.some(
    (currency) => payable(state.available, currency, prices[currency]) > 0n,
  );
  const isUnderWay = state.requests.some(
    (request) =>
      request.status === 'Pending' || (request.kind === 'transfer' && request.delivery === 'in transit'),
  );
  if (isOwed || isUnderWay)
    throw new LodeError(
      'account_not_empty',
      'This account has money or open requests. Settle them before it is closed.',
    );
  return [
    ...rejections(state),
    ...writeOffs(state, prices),
    { type: 'PersonForgotten', data: { role: state.role } },
  ];
}

/** Of the adjustments that wait, in the order of their ids. */
function rejections({ proposals }: OpenAccount): readonly AccountEvent[] {
  const waiting = [...proposals].filter(([, { status }]) => status === 'Pending').map(([id]) => id);
  return waiting.toSorted().map((requestId) => ({ type: 'AdjustmentRejected', data: { requestId } }));
}

/** What is left, one event a currency; the first takes the dollars along. Nothing is held once nothing is under way. */
function writeOffs(state: OpenAccount, prices: Prices): readonly AccountEvent[] {
  const { USD, ...balances } = state.available;
  const left = paymentCurrencies.filter((currency) => balances[currency] !== 0n);
  const taking = left.length === 0 && USD !== 0n ? paymentCurrencies.slice(0, 1) : left;
  const events: AccountEvent[] = [];
  let account: Account = state;
  for (const [n, currency] of taking.entries()) {
    invariant(account.kind === 'open', 'a write-off leaves the account open');
    const conversion = {
      currency,
      amount: n === 0 ? USD : 0n,
      price: prices[currency],
      converted: balances[currency],
    };
    const data = movement(account, availableOf(state.userId), 'operator/adjustments', conversion);
    const event: AccountEvent = { type: 'BalanceWrittenOff', data };
    account = evolve(account, event);
    events.push(event);
  }
  return events;
}
