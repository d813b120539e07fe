import { skipToken } from '@reduxjs/toolkit/query/react';
import type { FundRequestView } from '#contracts';
import { routes, useFundRequestsQuery, useOwnFundRequestsQuery } from '../../api';
import { displayMoney } from '../../lib';
import type { Asked, Kind } from './kind';
import { ShortAddress } from './short-address';

/** Fund requests, of one person or of everybody. */
export const fundRequests: Kind<FundRequestView> = {
  name: 'Funding',
  usePage({ userId, status, currency, cursor, limit }: Asked) {
    const filter = { status, currency, cursor, limit };
    const all = useFundRequestsQuery(userId === undefined ? filter : skipToken);
    const own = useOwnFundRequestsQuery(userId === undefined ? skipToken : { userId, ...filter });
    return userId === undefined ? all : own;
  },
  take: (download, { userId, status, currency }) =>
    userId === undefined
      ? download(routes.fundRequests, { status, currency }, 'fund-requests.csv')
      : download(routes.ownFundRequests, { userId, status, currency }, 'fund-requests.csv'),
  filters: ['status', 'currency'],
  columns: (forAdmin) => [
    ...(forAdmin
      ? [
          {
            head: 'Customer',
            place: 'lead' as const,
            width: '14ch',
            cell: ({ customer }: FundRequestView) => customer,
          },
        ]
      : []),
    {
      head: 'Address',
      place: 'more',
      width: '16ch',
      // No address was set then, or the request is from before it was kept.
      cell: ({ address }) => (address === null ? '–' : <ShortAddress address={address} />),
    },
    {
      head: 'Paid in',
      place: forAdmin ? 'more' : 'lead',
      width: '4ch',
      cell: ({ currency }) => currency,
    },
    { head: 'Amount, USD', place: 'figure', width: '7ch', cell: ({ amount }) => displayMoney(amount, 'USD') },
  ],
};
