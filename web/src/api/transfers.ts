import { api } from './api';
import { mutation, query, routes } from './contract';
import { changed, rowsOf, whole } from './tags';

const transfers = api.injectEndpoints({
  endpoints: (build) => ({
    ownTransfers: query(build, routes.ownTransfers, {
      shows: (_filter, page) => rowsOf('transfers', page?.items),
    }),
    receivedTransfers: query(build, routes.receivedTransfers, {
      shows: (_of, page) => rowsOf('transfers', page?.items),
    }),
    accountHolder: query(build, routes.accountHolder, { shows: () => [] }),
    requestTransfer: mutation(build, routes.requestTransfer, {
      // A customer's page knows one account, their own, whose id a request doesn't say.
      changes: (_body, answer) => [
        'accounts',
        ...(answer === undefined ? [whole('transfers')] : changed('transfers', answer.requestId)),
      ],
    }),
  }),
});

export const {
  useOwnTransfersQuery,
  useReceivedTransfersQuery,
  useAccountHolderQuery,
  useRequestTransferMutation,
} = transfers;
