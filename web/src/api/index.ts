export { useRegisterMutation, useSignInMutation, useSignOutMutation } from './access';
export { api } from './api';
export { useAccountQuery, usePricesQuery, useTotalsQuery, useWhyInfiniteQuery } from './accounts';
export {
  useDecideFundingMutation,
  useFundRequestsQuery,
  useRequestFundingMutation,
  useUploadEvidenceMutation,
  type FundRequestFilter,
} from './fund-requests';
export { useLive } from './live';
export { asApiError, hasCode, isSessionOver, type ApiError } from './problems';
export { SessionProvider, useSessionClient, useUser } from './session-context';
export type { SessionUser } from './session';
export { makeStore, useAppDispatch, useAppSelector, type AppStore, type RootState } from './store';
export { useFile, type FileState } from './use-file';
