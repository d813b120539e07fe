import { skipToken } from '@reduxjs/toolkit/query/react';
import type { FundRequestView, ListedRequest, TransferView, WithdrawalView } from '#contracts';
import { adminRoutes } from '../../api';
import { capitalized, displayMoney } from '../../lib';
import { Approvals } from '../../ui';
import {
  bankOf,
  fundRequests,
  ShortAddress,
  transfers,
  withdrawals,
  type AnyRequest,
  type Asked,
  type Kind,
} from '../requests';
import type { DecisionKind } from '../decision';
import { Choosable } from './choice';
import { useAllRequestsQuery, useFundRequestsQuery, useTransfersQuery, useWithdrawalsQuery } from './api';

const besideStatus = ({ approvals }: Pick<AnyRequest, 'approvals'>) =>
  approvals && <Approvals {...approvals} />;

/** Requests of a kind as an admin reads them: of everybody, or of one customer. */
export type Desk<Request extends AnyRequest> = Kind<Request> & { readonly name: DecisionKind };

const amount = {
  head: 'Amount, USD',
  place: 'figure',
  width: '7ch',
  cell: (request: Pick<AnyRequest, 'amount'>) => displayMoney(request.amount, 'USD'),
} as const;

export const fundDesk: Desk<FundRequestView> = {
  name: 'Funding',
  usePage(asked: Asked) {
    const { userId, status, currency, cursor, limit } = asked;
    const own = fundRequests.usePage(asked);
    const all = useFundRequestsQuery(userId === undefined ? { status, currency, cursor, limit } : skipToken);
    return userId === undefined ? all : own;
  },
  take: (download, asked) => {
    const { userId, status, currency } = asked;
    return userId === undefined
      ? download(adminRoutes.fundRequests, { status, currency }, 'fund-requests.csv')
      : fundRequests.take(download, asked);
  },
  filters: fundRequests.filters,
  besideStatus,
  columns: [
    {
      head: 'Customer',
      place: 'lead',
      width: '14ch',
      cell: (request) => <Choosable request={request}>{request.customer}</Choosable>,
    },
    {
      head: 'Address',
      place: 'more',
      width: '16ch',
      // No address was set then, or the request is from before it was kept.
      cell: ({ address }) => (address === null ? '–' : <ShortAddress address={address} />),
    },
    { head: 'Paid in', place: 'more', width: '4ch', cell: ({ currency }) => currency },
    amount,
  ],
};

export const withdrawalDesk: Desk<WithdrawalView> = {
  name: 'withdrawal',
  usePage(asked: Asked) {
    const { userId, status, currency, cursor, limit } = asked;
    const own = withdrawals.usePage(asked);
    const all = useWithdrawalsQuery(userId === undefined ? { status, currency, cursor, limit } : skipToken);
    return userId === undefined ? all : own;
  },
  take: (download, asked) => {
    const { userId, status, currency } = asked;
    return userId === undefined
      ? download(adminRoutes.withdrawals, { status, currency }, 'withdrawals.csv')
      : withdrawals.take(download, asked);
  },
  filters: withdrawals.filters,
  besideStatus,
  columns: [
    {
      head: 'Name',
      place: 'lead',
      width: '14ch',
      cell: (request) => <Choosable request={request}>{request.customer}</Choosable>,
    },
    {
      head: 'Wallet Address',
      place: 'more',
      width: '16ch',
      cell: ({ walletAddress }) => <ShortAddress address={walletAddress} />,
    },
    { head: 'Type', place: 'more', width: '14ch', cell: ({ type, currency }) => `${type}, ${currency}` },
    amount,
  ],
};

export const transferDesk: Desk<TransferView> = {
  name: 'transfer',
  usePage(asked: Asked) {
    const { userId, status, transferType, cursor, limit } = asked;
    const own = transfers.usePage(asked);
    const all = useTransfersQuery(userId === undefined ? { status, transferType, cursor, limit } : skipToken);
    return userId === undefined ? all : own;
  },
  take: (download, asked) => {
    const { userId, status, transferType } = asked;
    return userId === undefined
      ? download(adminRoutes.transfers, { status, transferType }, 'transfers.csv')
      : transfers.take(download, asked);
  },
  filters: transfers.filters,
  besideStatus,
  columns: [
    {
      head: 'Name',
      place: 'lead',
      width: '22ch',
      cell: (request) => (
        <Choosable request={request}>
          {request.customer} <span className="soft">to {request.details.accountName}</span>
        </Choosable>
      ),
    },
    amount,
    { head: 'Bank', place: 'more', width: '14ch', cell: bankOf },
    { head: 'Type', place: 'more', width: '10ch', cell: ({ transferType }) => transferType },
  ],
};

/** Requests of all kinds together; whoever asks for one customer's asks by kind. */
export const everyDesk: Kind<ListedRequest> = {
  name: undefined,
  usePage: ({ kind, status, currency, cursor, limit }: Asked) =>
    useAllRequestsQuery({ kind, status, currency, cursor, limit }),
  take: (download, { kind, status, currency }) =>
    download(adminRoutes.requests, { kind, status, currency }, 'requests.csv'),
  filters: ['kind', 'status', 'currency'],
  besideStatus,
  columns: [
    { head: 'Customer', place: 'lead', width: '14ch', cell: ({ customer }) => customer },
    { head: 'Kind', place: 'more', width: '12ch', cell: ({ kind, currency }) => kindWords(kind, currency) },
    amount,
  ],
};

/** What a request of a kind is called beside others. */
export function kindWords(kind: DecisionKind, currency: string): string {
  return `${capitalized(kind)}, ${currency}`;
}
