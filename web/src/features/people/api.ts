import { adminRoutes, api, changed, mutation, pagedQuery, query, routes, row, rowsOf } from '../../api';

/** The sessions of somebody, which no account is called. */
const sessionsOf = (userId: string) => row('accounts', `sessions of ${userId}`);

/** What is noted about somebody, which no account is called. */
const notesOf = (userId: string) => row('accounts', `notes of ${userId}`);

const ofPerson = ({ userId }: { readonly userId: string }) => changed('accounts', userId);
const signedOut = ({ userId }: { readonly userId: string }) => [sessionsOf(userId)];

const people = api.injectEndpoints({
  endpoints: (build) => ({
    people: query(build, adminRoutes.people, {
      shows: (_asked, page) =>
        rowsOf(
          'accounts',
          page?.items.map(({ userId: id }) => ({ id })),
        ),
    }),
    suspend: mutation(build, adminRoutes.suspend, {
      changes: (args) => [...ofPerson(args), ...signedOut(args)],
    }),
    activate: mutation(build, adminRoutes.activate, { changes: ofPerson }),
    eraseAccount: mutation(build, adminRoutes.eraseAccount, {
      changes: (args) => [...ofPerson(args), ...signedOut(args), notesOf(args.userId), 'totals'],
    }),
    stopBonus: mutation(build, adminRoutes.stopBonus, { changes: ofPerson }),
    restartBonus: mutation(build, adminRoutes.restartBonus, { changes: ofPerson }),
    adjustWallet: mutation(build, adminRoutes.adjustWallet, {
      changes: (args) => [...ofPerson(args), 'transactions', 'totals', 'approvals'],
    }),
    createAccount: mutation(build, adminRoutes.createAccount, { changes: () => ['accounts', 'totals'] }),
    mailPasswordLink: mutation(build, routes.requestPasswordReset),
    sessionsOf: query(build, adminRoutes.sessionsOf, { shows: ({ userId }) => [sessionsOf(userId)] }),
    endSessionOf: mutation(build, adminRoutes.endSessionOf, { changes: signedOut }),
    notes: pagedQuery(build, adminRoutes.notes, {
      next: ({ next }) => (next === null ? undefined : { from: next }),
      shows: ({ userId }) => [notesOf(userId)],
    }),
    addNote: mutation(build, adminRoutes.addNote, { changes: ({ userId }) => [notesOf(userId)] }),
    removeLostSecondFactor: mutation(build, adminRoutes.removeLostSecondFactor, { changes: signedOut }),
    endSessionsOf: mutation(build, adminRoutes.endSessionsOf, { changes: signedOut }),
  }),
});

export const {
  usePeopleQuery,
  useSuspendMutation,
  useActivateMutation,
  useEraseAccountMutation,
  useStopBonusMutation,
  useRestartBonusMutation,
  useAdjustWalletMutation,
  useCreateAccountMutation,
  useMailPasswordLinkMutation,
  useSessionsOfQuery,
  useEndSessionOfMutation,
  useEndSessionsOfMutation,
  useRemoveLostSecondFactorMutation,
  useNotesInfiniteQuery,
  useAddNoteMutation,
} = people;
