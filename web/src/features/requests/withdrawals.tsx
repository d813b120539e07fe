import { skipToken } from '@reduxjs/toolkit/query/react';
import type { WithdrawalView } from '#contracts';
import { routes, useOwnWithdrawalsQuery } from '../../api';
import { displayMoney } from '../../lib';
import type { Asked, Kind } from './kind';
import { ShortAddress } from './short-address';

/** The withdrawals of one person. */
export const withdrawals: Kind<WithdrawalView> = {
  name: 'withdrawal',
  usePage({ userId, status, currency, cursor, limit }: Asked) {
    return useOwnWithdrawalsQuery(
      userId === undefined ? skipToken : { userId, status, currency, cursor, limit },
    );
  },
  take: async (download, { userId, status, currency }) =>
    userId === undefined
      ? undefined
      : download(routes.ownWithdrawals, { userId, status, currency }, 'withdrawals.csv'),
  filters: ['status', 'currency'],
  columns: [
    {
      head: 'Wallet Address',
      place: 'lead',
      width: '16ch',
      cell: ({ walletAddress }) => <ShortAddress address={walletAddress} />,
    },
    { head: 'Type', place: 'more', width: '14ch', cell: ({ type, currency }) => `${type}, ${currency}` },
    { head: 'Amount, USD', place: 'figure', width: '7ch', cell: ({ amount }) => displayMoney(amount, 'USD') },
  ],
};
