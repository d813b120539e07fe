import { adminRoutes, api, changed, mutation, query, row, rowsOf, whole, type Tag } from '../../api';

/** Of requests that are shown with how many admins approved them. */
function approvalsOf(
  page: { readonly items: readonly { readonly id: string }[] } | undefined,
): readonly Tag[] {
  return (page?.items ?? []).map(({ id }) => row('approvals', id));
}

const lists = api.injectEndpoints({
  endpoints: (build) => ({
    fundRequests: query(build, adminRoutes.fundRequests, {
      shows: (_filter, page) => [...rowsOf('requests', page?.items), ...approvalsOf(page)],
    }),
    withdrawals: query(build, adminRoutes.withdrawals, {
      shows: (_filter, page) => [...rowsOf('requests', page?.items), ...approvalsOf(page)],
    }),
    allRequests: query(build, adminRoutes.requests, {
      shows: (_filter, page) => [
        ...rowsOf('requests', page?.items),
        ...rowsOf('transfers', page?.items),
        ...approvalsOf(page),
      ],
    }),
    decideRequests: mutation(build, adminRoutes.decideRequests, {
      changes: ({ items }) => [
        ...items.flatMap(({ requestId, kind, userId }) => [
          ...changed(kind === 'transfer' ? 'transfers' : 'requests', requestId),
          ...changed('accounts', userId),
          ...changed('approvals', requestId),
        ]),
        whole('totals'),
      ],
    }),
    transfers: query(build, adminRoutes.transfers, {
      shows: (_filter, page) => [...rowsOf('transfers', page?.items), ...approvalsOf(page)],
    }),
  }),
});

export const {
  useAllRequestsQuery,
  useDecideRequestsMutation,
  useFundRequestsQuery,
  useWithdrawalsQuery,
  useTransfersQuery,
} = lists;
