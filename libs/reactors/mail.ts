import type { RecordedEvent } from '#kernel';
import type { LedgerEvent } from '#ledger';
import type { Reactor } from './reactor.js';
import { idIn } from './streams.js';

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

function isNoticed(type: string): type is keyof typeof notices {
  return Object.hasOwn(notices, type);
}

/** Writes to people about what somebody with their password, or an admin, has done. Only where mails are sent does it run. */
export const mail: Reactor<MailFollowUp, 'mail'> = {
  name: 'mail',
  handles: Object.keys(notices),
  keyOf: idIn,
  on: (event) => {
    const { type, stream, at, data } = event;
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
