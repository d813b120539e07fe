import { skipToken } from '@reduxjs/toolkit/query/react';
import type { TransferView } from '#contracts';
import { routes, useOwnTransfersQuery } from '../../api';
import { displayMoney } from '../../lib';
import { bankOf } from './bank';
import type { Asked, Kind } from './kind';

/** The transfers that one person asked for. */
export const transfers: Kind<TransferView> = {
  name: 'transfer',
  usePage({ userId, status, transferType, cursor, limit }: Asked) {
    return useOwnTransfersQuery(
      userId === undefined ? skipToken : { userId, status, transferType, cursor, limit },
    );
  },
  take: async (download, { userId, status, transferType }) =>
    userId === undefined
      ? undefined
      : download(routes.ownTransfers, { userId, status, transferType }, 'transfers.csv'),
  filters: ['status', 'transferType'],
  columns: [
    { head: 'Name', place: 'lead', width: '14ch', cell: ({ details }) => details.accountName },
    { head: 'Amount, USD', place: 'figure', width: '7ch', cell: ({ amount }) => displayMoney(amount, 'USD') },
    { head: 'Bank', place: 'more', width: '14ch', cell: bankOf },
    { head: 'Type', place: 'more', width: '10ch', cell: ({ transferType }) => transferType },
  ],
};
