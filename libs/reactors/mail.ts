import { invariant, type RecordedEvent } from '#kernel';
import { changeDecider, type LedgerEvent, type PlatformChange } from '#ledger';
import type { Reactor } from './reactor.js';
import { idIn, personIn } from './streams.js';

/** A mail that tells a person what was done to their account; the program knows what it says. */
export type MailFollowUp = {
  readonly type: 'NotifyPerson';
  readonly userId: string;
  readonly notice:
    | 'password-changed'
    | 'address-changed'
    | 'address-canceled'
    | 'second-factor-changed'
    | 'email-change-asked'
    | 'email-changed'
    | 'request-confirmed'
    | 'request-rejected';
  /** When it was done; ISO instant. */
  readonly at: string;
  readonly requestId?: string;
  /** What was changed, where the notice is of several. */
  readonly change?: string;
  /** Of an address: its currency, and from when it is in force where it waits; an ISO instant. */
  readonly currency?: string;
  readonly from?: string;
};

/** A mail that tells every owner what an admin changed of what holds for all, or of who is an admin. */
export type OwnersFollowUp = {
  readonly type: 'NotifyOwners';
  /** What was changed, in a few words. */
  readonly what: string;
  /** It was not changed yet: it waits for a second admin. */
  readonly waits?: true;
  /** One mail tells of all of its kind that somebody does within a while: one admin can do it as often as they like. */
  readonly isOften?: true;
  /** Who did it; left out where the operator or the program did. */
  readonly by?: string;
  /** Whose bonus or duty it is, where it is somebody's. */
  readonly of?: string;
  /** When it was done; ISO instant. */
  readonly at: string;
  readonly reason?: string;
};

/** What owners are told of, whoever did it, and what it is called. */
const ofOwners = {
  DepositDetailsChanged: 'contact and deposit addresses',
  DollarRateSet: 'dollar rate',
  PricesSet: 'prices',
  BonusPolicySet: 'bonus policy',
  BonusCycleRestarted: 'a customer’s bonus, begun again',
  AdminAccessSet: 'how admins come in',
  ApprovalLimitsSet: 'approval limits',
  AdminDutyChanged: 'an admin’s duty',
  AdminSuspended: 'an admin, suspended',
  AdminActivated: 'an admin, let in again',
  AdminRemoved: 'an admin, removed for ever',
  InvitationIssued: 'an invitation that makes an admin',
} as const satisfies { readonly [Type in LedgerEvent['type']]?: string };

/** What one admin can do so often that a mail each would keep all other mails waiting. */
const often: readonly string[] = [
  'DollarRateSet',
  'PricesSet',
  'BonusPolicySet',
  'BonusCycleRestarted',
] satisfies readonly (keyof typeof ofOwners)[];

const notices = {
  PasswordChanged: 'password-changed',
  PasswordReset: 'password-changed',
  SecondFactorChanged: 'second-factor-changed',
  EmailChangeAsked: 'email-change-asked',
  EmailChanged: 'email-changed',
  WalletAddressSaved: 'address-changed',
  WalletAddressCanceled: 'address-canceled',
  FundingConfirmed: 'request-confirmed',
  FundingRejected: 'request-rejected',
  WithdrawalConfirmed: 'request-confirmed',
  WithdrawalRejected: 'request-rejected',
  TransferConfirmed: 'request-confirmed',
  TransferRejected: 'request-rejected',
} as const satisfies { readonly [Type in LedgerEvent['type']]?: MailFollowUp['notice'] };

/** What a change that waits for a second admin would be once it is made: it is called the same. */
const asked = {
  'deposit-details': 'DepositDetailsChanged',
  'dollar-rate': 'DollarRateSet',
  prices: 'PricesSet',
  'bonus-policy': 'BonusPolicySet',
  'approval-limits': 'ApprovalLimitsSet',
  duty: 'AdminDutyChanged',
  bonus: 'BonusCycleRestarted',
} as const satisfies Readonly<Record<PlatformChange['part'], keyof typeof ofOwners>>;

function isOfOwners(type: string): type is keyof typeof ofOwners {
  return Object.hasOwn(ofOwners, type);
}

function isNoticed(type: string): type is keyof typeof notices {
  return Object.hasOwn(notices, type);
}

/**
 * Writes to people about what somebody with their password, or an admin, has done, and to owners about what another one may
 * have done in their name. Only where mails are sent does it run.
 */
export const mail: Reactor<MailFollowUp | OwnersFollowUp, 'mail'> = {
  name: 'mail',
  handles: [...Object.keys(notices), ...Object.keys(ofOwners), 'ChangeAsked' satisfies LedgerEvent['type']],
  keyOf: (event) => (isOfOwners(event.type) || event.type === 'ChangeAsked' ? event.stream : idIn(event)),
  on: (event) => {
    const { type, stream, at, data } = event;
    if (isOfOwners(type)) return [{ stream, step: 'tell owners', command: forOwners(event, ofOwners[type]) }];
    if (type === 'ChangeAsked') return [{ stream, step: 'tell owners', command: forAsked(event) }];
    if (!isNoticed(type)) return [];
    const userId = idIn(event);
    const { requestId, change } = data;
    const request = typeof requestId === 'string' ? { requestId } : {};
    const what = typeof change === 'string' ? { change } : {};
    const isAddress = type === 'WalletAddressSaved' || type === 'WalletAddressCanceled';
    const address = isAddress ? addressIn(data, at) : {};
    const command = {
      type: 'NotifyPerson',
      userId,
      notice: notices[type],
      at,
      ...request,
      ...what,
      ...address,
    } as const;
    return [{ stream, step: 'notify', command }];
  },
};

function forOwners(event: RecordedEvent, what: string): OwnersFollowUp {
  const { type, at, data, meta, stream } = event;
  const of = typeof data['userId'] === 'string' ? data['userId'] : personIn(stream);
  return {
    type: 'NotifyOwners',
    what,
    at,
    ...(often.includes(type) ? { isOften: true } : {}),
    ...(meta.actor.kind === 'person' ? { by: meta.actor.id } : {}),
    ...(of === undefined ? {} : { of }),
    ...(meta.reason === undefined ? {} : { reason: meta.reason }),
  };
}

function forAsked(event: RecordedEvent): OwnersFollowUp {
  const decoded = changeDecider.codecs.decode(event);
  invariant(decoded.type === 'ChangeAsked', 'what is told of is what was asked for');
  const { part, values } = decoded.data;
  const of = 'userId' in values ? { of: values.userId } : {};
  const type = asked[part];
  return { ...forOwners({ ...event, type }, ofOwners[type]), waits: true, ...of };
}

/** The currency of an address, and from when it is in force where it waits. */
function addressIn(
  { currency, waits }: RecordedEvent['data'],
  at: string,
): Pick<MailFollowUp, 'currency' | 'from'> {
  const from = typeof waits === 'object' && waits !== null && 'from' in waits ? waits.from : undefined;
  return {
    ...(typeof currency === 'string' ? { currency } : {}),
    ...(typeof from === 'string' && Date.parse(from) > Date.parse(at) ? { from } : {}),
  };
}
