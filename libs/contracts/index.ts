export {
  invitationAnswer,
  PASSWORD_LENGTH,
  profile,
  registerAnswer,
  registerBody,
  session,
  signInBody,
  type Profile,
  type Session,
} from './auth.js';
export {
  accepted,
  BODY_BYTES_MAX,
  currency,
  FILE_BYTES_MAX,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
  paymentCurrency,
  problem,
  type Problem,
} from './common.js';
export { change, health, projections, type Change } from './operations.js';
export { routes, type Access, type Route, type RouteName } from './routes.js';
export {
  account,
  adjustmentBody,
  decisionBody,
  evidence,
  fundRequest,
  fundRequestAnswer,
  fundRequestBody,
  fundRequestPage,
  fundRequestQuery,
  prices,
  requestStatus,
  totals,
  why,
  whyQuery,
  type AccountView,
  type FundRequestPage,
  type FundRequestView,
  type Why,
} from './wallet.js';
/** The ledger's own money module and the error codes, for the front end, which imports nothing but this library. */
export {
  displayMoney,
  displayScale,
  paymentCurrencies,
  scales,
  type Currency,
  type PaymentCurrency,
} from '#ledger';
export type { ErrorCode } from '#kernel';
