import type { ReactNode } from 'react';
import type { FundRequestView, TransferView, WithdrawalView } from '#contracts';
import { displayMoney, displayPrice, exactMoney, isZero } from '../../lib';
import { Copyable } from '../../ui';
import { bankOf } from './bank';
import type { AnyRequest } from './kind';

/** A line of a request's details. */
export type Fact = readonly [name: string, what: ReactNode];

/** A 10-digit account number in groups that can be read aloud. */
export function groupedAccount(number: string): string {
  return number.replace(/^(\d{4})(\d{4})(\d+)$/, '$1 $2 $3');
}

function amountOf({ amount, currency }: AnyRequest): Fact {
  return [
    'Amount',
    <span className="num">
      <b>{displayMoney(amount, 'USD')} USD</b> <span className="soft">paid in {currency}</span>
    </span>,
  ];
}

function customerOf(name: string, { customer, accountNumber }: AnyRequest): Fact {
  return [
    name,
    <>
      {customer} <span className="code faint nowrap">{groupedAccount(accountNumber)}</span>
    </>,
  ];
}

/** What a request has set aside until it is decided. */
function heldBy({ hold, currency }: Pick<TransferView, 'hold' | 'currency'>): Fact {
  return [
    'Set aside',
    <span className="num">
      {exactMoney(hold.converted, currency)} {currency}
      <span className="soft"> at {displayPrice(hold.price)} USD</span>
    </span>,
  ];
}

function withdrawalFacts(request: WithdrawalView): readonly Fact[] {
  const { walletAddress, type, currency, convertedAmount, payoutReference } = request;
  return [
    customerOf('Name', request),
    ['Wallet Address', <Copyable text={walletAddress} what="Wallet address" />],
    amountOf(request),
    ['Type', `${type}, ${currency}`],
    heldBy(request),
    // Without a dollar rate there is no payout amount.
    ...(isZero(convertedAmount)
      ? []
      : [['Payout', <span className="num">{convertedAmount} in the payout currency</span>] as const]),
    ...(payoutReference === null
      ? []
      : [['Payout reference', <Copyable text={payoutReference} what="Payout reference" />] as const]),
  ];
}

const deliveries: Readonly<Record<TransferView['delivery'], string | undefined>> = {
  none: undefined,
  'in transit': 'On its way to the receiver',
  received: 'Received',
  returned: 'Came back: the receiver could not take it',
  'paid out': 'Paid out',
};

function transferFacts(request: TransferView, forAdmin: boolean): readonly Fact[] {
  const { details, transferType, delivery } = request;
  const typed: readonly Fact[] = [
    ['Bank address', details.bankAddress],
    ['Routing number', details.routingNumber],
    ['SWIFT/BIC/IBAN', details.swiftBicIban],
    ['Holder address', details.holderAddress],
    ['Narration', details.narration],
    ['Delivery', deliveries[delivery]],
  ];
  return [
    ...(forAdmin ? [customerOf('Customer', request)] : []),
    ['Name', details.accountName],
    [
      'Account number',
      <Copyable
        text={details.accountNumber}
        shown={groupedAccount(details.accountNumber)}
        what="Account number"
      />,
    ],
    ['Bank', bankOf(request)],
    amountOf(request),
    ['Type', transferType],
    heldBy(request),
    ...typed.filter(([_name, what]) => what !== '' && what !== undefined),
  ];
}

function fundingFacts(request: FundRequestView, forAdmin: boolean): readonly Fact[] {
  const { address } = request;
  return [
    amountOf(request),
    ...(forAdmin ? [customerOf('Customer', request)] : []),
    ...(address === null ? [] : [['Address', <Copyable text={address} what="Deposit address" />] as const]),
  ];
}

/** What there is to say of a request, besides when it was asked for and how it stands. */
export function factsOf(request: AnyRequest, forAdmin: boolean): readonly Fact[] {
  if ('walletAddress' in request) return withdrawalFacts(request);
  if ('transferType' in request) return transferFacts(request, forAdmin);
  return fundingFacts(request, forAdmin);
}
