import { api } from './api';
import { mutation, pagedQuery, query, routes } from './contract';
import { changed, row, whole } from './tags';

const wallet = api.injectEndpoints({
  endpoints: (build) => ({
    ownTransactions: query(build, routes.ownTransactions, { shows: () => [whole('transactions')] }),
    notifications: pagedQuery(build, routes.notifications, {
      next: ({ next }) => (next === null ? undefined : { cursor: next }),
      shows: () => [whole('notifications')],
    }),
    readNotifications: mutation(build, routes.readNotifications, {
      changes: ({ userId }) => changed('accounts', userId),
    }),
    depositAddresses: query(build, routes.depositAddresses, {
      shows: () => [row('settings', 'deposit-details')],
    }),
    contact: query(build, routes.contact, { shows: () => [row('settings', 'deposit-details')] }),
    sendMessage: mutation(build, routes.sendMessage),
  }),
});

export const {
  useOwnTransactionsQuery,
  useNotificationsInfiniteQuery,
  useReadNotificationsMutation,
  useDepositAddressesQuery,
  useContactQuery,
  useSendMessageMutation,
} = wallet;

/** The deposit addresses as they were looked up last, without looking them up; undefined where that failed. */
export function useShownDepositAddresses() {
  const { data, error } = wallet.endpoints.depositAddresses.useQueryState();
  return error === undefined ? data?.addresses : undefined;
}
