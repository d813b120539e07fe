import { skipToken } from '@reduxjs/toolkit/query/react';
import type { FundRequestView } from '#contracts';
import { routes, useOwnFundRequestsQuery } from '../../api';
import { displayMoney } from '../../lib';
import type { Asked, Kind } from './kind';
import { ShortAddress } from './short-address';

/** The fund requests of one person. */
export const fundRequests: Kind<FundRequestView> = {
  name: 'Funding',
  usePage({ userId, status, currency, cursor, limit }: Asked) {
    return useOwnFundRequestsQuery(
      userId === undefined ? skipToken : { userId, status, currency, cursor, limit },
    );
  },
  take: async (download, { userId, status, currency }) =>
    userId === undefined
      ? undefined
      : download(routes.ownFundRequests, { userId, status, currency }, 'fund-requests.csv'),
  filters: ['status', 'currency'],
  columns: [
    {
      head: 'Address',
      place: 'more',
      width: '16ch',
      // No address was set then, or the request is from before it was kept.
      cell: ({ address }) => (address === null ? '–' : <ShortAddress address={address} />),
    },
    { head: 'Paid in', place: 'lead', width: '4ch', cell: ({ currency }) => currency },
    { head: 'Amount, USD', place: 'figure', width: '7ch', cell: ({ amount }) => displayMoney(amount, 'USD') },
  ],
};
