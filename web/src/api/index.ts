export {
  useCloseAccountMutation,
  useFinishSignInMutation,
  useSignInMutation,
  useSignOutMutation,
} from './access';
export { api } from './api';
export { useClockQuery } from './clock';
export { useAccountQuery, usePricesQuery, useWhyInfiniteQuery } from './accounts';
export { useRequestEventsQuery } from './request-events';
export {
  useOwnFundRequestsQuery,
  useRequestFundingMutation,
  useUploadEvidenceMutation,
} from './fund-requests';
export { refusalOf, type Refusal } from './refusal';
export {
  adminRoutes,
  mutation,
  pagedQuery,
  pathOf,
  query,
  routes,
  type FailureOf,
  type PathArgs,
  type RouteTo,
} from './contract';
export { useLive } from './live';
export {
  asApiError,
  detailOf,
  hasCode,
  isOutcomeUnknown,
  isSessionOver,
  readProblem,
  UNKNOWN_OUTCOME,
  type ApiError,
  type Failure,
} from './problems';
export { REFRESH_LOCK, SESSION_CHANNEL, USER_ID_ITEM } from './session-names';
export { SessionProvider, useSessionClient, useUser } from './session-context';
export type { SessionUser } from './session';
export { makeStore, useAppDispatch, useAppSelector, type AppStore, type RootState } from './store';
export { isServiceAway, isSettling } from './sync';
export { changed, everything, row, rowsOf, whole, type Tag } from './tags';
export { useTotalsQuery } from './totals';
export { useFile, type FileState } from './use-file';
export {
  useOwnWithdrawalsQuery,
  useRequestWithdrawalMutation,
  useCancelWalletAddressMutation,
  useSaveWalletAddressMutation,
  useWithdrawableQuery,
} from './withdrawals';
export {
  useAccountHolderQuery,
  useOwnTransfersQuery,
  useReceivedTransfersQuery,
  useRequestTransferMutation,
} from './transfers';
export {
  useAddPasskeyMutation,
  useAskPasskeyMutation,
  useBeginPasskeyMutation,
  useBeginSecondFactorMutation,
  useChangePasswordMutation,
  useChangePreferencesMutation,
  useChangeProfileImageMutation,
  useChangeProfileMutation,
  useConfirmSecondFactorMutation,
  useEndOtherSessionsMutation,
  useEndOwnSessionMutation,
  useOwnSecurityEventsInfiniteQuery,
  useOwnSessionsQuery,
  useRemovePasskeyMutation,
  useRemoveSecondFactorMutation,
  useRenewRecoveryCodesMutation,
  useCancelEmailChangeMutation,
  useEmailChangeQuery,
  useRequestEmailChangeMutation,
  useRequestEmailVerificationMutation,
  useSecondFactorQuery,
  useSetTransferPinMutation,
  useTransferPinQuery,
  useUploadProfileImageMutation,
} from './security';
export { useFundRequestQuery, useOpenRequestsQuery, useTransferQuery, useWithdrawalQuery } from './requests';
export { useAccountEventsQuery } from './history';
export { useSetAdminAccessMutation, useSettingsQuery } from './settings';
export { useAskStatement, useStatementQuery } from './statement';
export { useDownload, type DownloadFile } from './use-download';
export {
  useContactQuery,
  useDepositAddressesQuery,
  useNotificationsInfiniteQuery,
  useReadNotificationsMutation,
  useShownDepositAddresses,
  useOwnTransactionsQuery,
  useSendMessageMutation,
} from './wallet';
