import { adminRoutes, api, changed, mutation, query, whole, type Tag } from '../../api';

type Decided = { readonly userId: string; readonly requestId: string };

/** What a decision about a request touches: the request, whose it is, and the sums over all. */
function touched(kind: 'requests' | 'transfers') {
  return ({ userId, requestId }: Decided): readonly Tag[] => [
    ...changed(kind, requestId),
    ...changed('accounts', userId),
    ...changed('approvals', requestId),
    whole('totals'),
  ];
}

const [aboutRequest, aboutTransfer] = [touched('requests'), touched('transfers')];

const decisions = api.injectEndpoints({
  endpoints: (build) => ({
    // It has no row of the lists: with their tag its answer would end what they show as updating.
    evidenceUses: query(build, adminRoutes.evidenceUses, { shows: () => [] }),
    confirmFunding: mutation(build, adminRoutes.confirmFunding, { changes: aboutRequest }),
    rejectFunding: mutation(build, adminRoutes.rejectFunding, { changes: aboutRequest }),
    confirmWithdrawal: mutation(build, adminRoutes.confirmWithdrawal, { changes: aboutRequest }),
    rejectWithdrawal: mutation(build, adminRoutes.rejectWithdrawal, { changes: aboutRequest }),
    confirmTransfer: mutation(build, adminRoutes.confirmTransfer, { changes: aboutTransfer }),
    rejectTransfer: mutation(build, adminRoutes.rejectTransfer, { changes: aboutTransfer }),
  }),
});

export const {
  useEvidenceUsesQuery,
  useConfirmFundingMutation,
  useRejectFundingMutation,
  useConfirmWithdrawalMutation,
  useRejectWithdrawalMutation,
  useConfirmTransferMutation,
  useRejectTransferMutation,
} = decisions;
