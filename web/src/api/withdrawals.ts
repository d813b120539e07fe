import { api } from './api';
import { mutation, query, routes } from './contract';
import { changed, row, rowsOf, whole } from './tags';

const withdrawals = api.injectEndpoints({
  endpoints: (build) => ({
    ownWithdrawals: query(build, routes.ownWithdrawals, {
      shows: (_filter, page) => rowsOf('requests', page?.items),
    }),
    withdrawable: query(build, routes.withdrawable, {
      shows: ({ userId }) => [row('accounts', userId), row('settings', 'prices')],
    }),
    requestWithdrawal: mutation(build, routes.requestWithdrawal, {
      // A customer's page knows one account, their own, whose id a request doesn't say.
      changes: (_body, answer) => [
        'accounts',
        ...(answer === undefined ? [whole('requests')] : changed('requests', answer.requestId)),
      ],
    }),
    cancelWalletAddress: mutation(build, routes.cancelWalletAddress, {
      changes: ({ userId }) => changed('accounts', userId),
    }),
    saveWalletAddress: mutation(build, routes.saveWalletAddress, {
      changes: ({ userId }) => changed('accounts', userId),
    }),
  }),
});

export const {
  useOwnWithdrawalsQuery,
  useWithdrawableQuery,
  useRequestWithdrawalMutation,
  useCancelWalletAddressMutation,
  useSaveWalletAddressMutation,
} = withdrawals;
