export { useRegisterMutation, useSignInMutation, useSignOutMutation } from './access';
export { api } from './api';
export { useClockQuery } from './clock';
export { useAccountQuery, usePricesQuery, useTotalsQuery, useWhyInfiniteQuery } from './accounts';
export {
  useConfirmFundingMutation,
  useFundRequestsQuery,
  useOwnFundRequestsQuery,
  useRejectFundingMutation,
  useRequestFundingMutation,
  useUploadEvidenceMutation,
} from './fund-requests';
export { pathOf, routes, type FailureOf, type PathArgs, type RouteTo } from './contract';
export { useLive } from './live';
export {
  asApiError,
  detailOf,
  hasCode,
  isOutcomeUnknown,
  isSessionOver,
  UNKNOWN_OUTCOME,
  type Failure,
} from './problems';
export { SessionProvider, useSessionClient, useUser } from './session-context';
export type { SessionUser } from './session';
export { makeStore, useAppDispatch, useAppSelector, type AppStore, type RootState } from './store';
export { changed } from './tags';
export { useFile, type FileState } from './use-file';
