import { adminRoutes, api, changed, mutation, query, row, rowsOf, whole, type Tag } from '../../api';

/** Everybody who is an admin, which no account is called. */
export const everyAdmin = row('accounts', 'admins');

type Decided = { readonly userId: string; readonly requestId: string };

/** What a decision about an adjustment that waits touches. */
function touched({ userId, requestId }: Decided): readonly Tag[] {
  return [
    ...changed('approvals', requestId),
    ...changed('accounts', userId),
    whole('totals'),
    whole('transactions'),
  ];
}

/** What a decision about a change touches, whatever it is of. */
function touchedByChange({ changeId }: { readonly changeId: string }): readonly Tag[] {
  return [...changed('changes', changeId), whole('settings'), whole('accounts'), everyAdmin];
}

const approvals = api.injectEndpoints({
  endpoints: (build) => ({
    approvals: query(build, adminRoutes.approvals, {
      shows: (_asked, page) => rowsOf('approvals', page?.items),
    }),
    // What an admin moved counts, by whatever it was.
    approvalsNeeded: query(build, adminRoutes.approvalsNeeded, {
      shows: () => [whole('settings'), whole('approvals'), whole('totals')],
    }),
    admins: query(build, adminRoutes.admins, { shows: () => [everyAdmin] }),
    approveAdjustment: mutation(build, adminRoutes.approveAdjustment, { changes: touched }),
    changes: query(build, adminRoutes.changes, {
      shows: (_asked, page) => [...rowsOf('changes', page?.items), whole('settings'), everyAdmin],
    }),
    approveChange: mutation(build, adminRoutes.approveChange, { changes: touchedByChange }),
    rejectChange: mutation(build, adminRoutes.rejectChange, { changes: touchedByChange }),
    rejectAdjustment: mutation(build, adminRoutes.rejectAdjustment, { changes: touched }),
  }),
});

export const {
  useAdminsQuery,
  useApprovalsQuery,
  useApprovalsNeededQuery,
  useApproveChangeMutation,
  useChangesQuery,
  useRejectChangeMutation,
  useApproveAdjustmentMutation,
  useRejectAdjustmentMutation,
} = approvals;
