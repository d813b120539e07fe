export {
  invitationAnswer,
  PASSWORD_LENGTH,
  profile,
  registerAnswer,
  registerBody,
  session,
  signInBody,
  type Profile,
  type RegisterBody,
  type Session,
  type SignInBody,
} from './auth.js';
export { accepted, type Accepted, currency, paymentCurrency, problem, type Problem } from './common.js';
export {
  evidence,
  filePath,
  storageCodeOf,
  storageCodes,
  type FileAnswer,
  type StorageCode,
} from './files.js';
export { BODY_BYTES_MAX, FILE_BYTES_MAX, PAGE_SIZE, PAGE_SIZE_MAX } from './limits.js';
export { change, health, projections, type Change } from './operations.js';
export { routes, type Access, type Route, type RouteName } from './routes/index.js';
export {
  account,
  adjustmentBody,
  decisionBody,
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
  type DecisionAnswer,
  type FundRequestAnswer,
  type FundRequestBody,
  type FundRequestPage,
  type FundRequestView,
  type PricesView,
  type RequestStatus,
  type Totals,
  type Why,
} from './wallet.js';
/** The ledger's own money module and the error codes, for the front end, which imports nothing but this library. */
export {
  convertFromUsd,
  displayMoney,
  displayScale,
  formatMoney,
  parseDecimal,
  parseMoney,
  paymentCurrencies,
  PRICE_SCALE,
  scales,
  type Currency,
  type PaymentCurrency,
} from '#ledger';
export { comparePositions, logStart, parsePosition, type ErrorCode, type Position } from '#kernel';
