import { api } from './api';
import { mutation, pagedQuery, query, routes } from './contract';
import { changed, row, secondFactor, whole } from './tags';

/** The sessions of whoever is signed in, which no other row is called. */
const sessions = row('accounts', 'sessions');

/** Another e-mail address that waits for its link. */
const emailChange = row('accounts', 'email-change');

const security = api.injectEndpoints({
  endpoints: (build) => ({
    transferPin: query(build, routes.transferPin, { shows: () => [whole('accounts')] }),
    setTransferPin: mutation(build, routes.setTransferPin, { changes: () => [whole('accounts')] }),
    changePassword: mutation(build, routes.changePassword, { changes: () => [sessions] }),
    secondFactor: query(build, routes.secondFactor, { shows: () => [secondFactor] }),
    beginSecondFactor: mutation(build, routes.beginSecondFactor),
    confirmSecondFactor: mutation(build, routes.confirmSecondFactor, {
      changes: () => [secondFactor, sessions],
    }),
    removeSecondFactor: mutation(build, routes.removeSecondFactor, { changes: () => [secondFactor] }),
    renewRecoveryCodes: mutation(build, routes.renewRecoveryCodes, { changes: () => [secondFactor] }),
    beginPasskey: mutation(build, routes.beginPasskey),
    addPasskey: mutation(build, routes.addPasskey, { changes: () => [secondFactor, sessions] }),
    askPasskey: mutation(build, routes.askPasskey),
    removePasskey: mutation(build, routes.removePasskey, { changes: () => [secondFactor, sessions] }),
    requestEmailVerification: mutation(build, routes.requestEmailVerification),
    emailChange: query(build, routes.emailChange, { shows: () => [emailChange, whole('accounts')] }),
    // The security history says of both.
    requestEmailChange: mutation(build, routes.requestEmailChange, {
      changes: () => [emailChange, sessions],
    }),
    cancelEmailChange: mutation(build, routes.cancelEmailChange, {
      changes: () => [emailChange, sessions],
    }),
    ownSessions: query(build, routes.ownSessions, { shows: () => [sessions] }),
    ownSecurityEvents: pagedQuery(build, routes.ownSecurityEvents, {
      next: ({ next }) => (next === null ? undefined : { from: next }),
      shows: () => [sessions],
    }),
    endOwnSession: mutation(build, routes.endOwnSession, { changes: () => [sessions] }),
    endOtherSessions: mutation(build, routes.endOtherSessions, { changes: () => [sessions] }),
    changeProfile: mutation(build, routes.changeProfile, {
      changes: ({ userId }) => changed('accounts', userId),
    }),
    changePreferences: mutation(build, routes.changePreferences, {
      changes: ({ userId }) => changed('accounts', userId),
    }),
    uploadProfileImage: mutation(build, routes.uploadProfileImage),
    changeProfileImage: mutation(build, routes.changeProfileImage, {
      changes: ({ userId }) => changed('accounts', userId),
    }),
  }),
});

export const {
  useAddPasskeyMutation,
  useAskPasskeyMutation,
  useBeginPasskeyMutation,
  useRemovePasskeyMutation,
  useBeginSecondFactorMutation,
  useConfirmSecondFactorMutation,
  useRemoveSecondFactorMutation,
  useRenewRecoveryCodesMutation,
  useSecondFactorQuery,
  useTransferPinQuery,
  useSetTransferPinMutation,
  useChangePasswordMutation,
  useCancelEmailChangeMutation,
  useEmailChangeQuery,
  useRequestEmailChangeMutation,
  useRequestEmailVerificationMutation,
  useOwnSecurityEventsInfiniteQuery,
  useOwnSessionsQuery,
  useEndOwnSessionMutation,
  useEndOtherSessionsMutation,
  useChangeProfileMutation,
  useChangePreferencesMutation,
  useUploadProfileImageMutation,
  useChangeProfileImageMutation,
} = security;
