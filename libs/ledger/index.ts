export {
  accessDecider,
  accessStream,
  REFUSALS_PER_HOUR_MAX,
  SESSIONS_REMEMBERED,
  WRONG_PINS_MAX,
  type Access,
  type AccessCommand,
  type AccessEvent,
  type EndReason,
  type RefusalReason,
} from './access/index.js';
export {
  accountDecider,
  accountStream,
  postingsOf,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type Evidence,
  type FundRequest,
  type OpenAccount,
  type Prices,
} from './account/index.js';
export { availableOf, heldOf, type LedgerAccount } from './chart.js';
export {
  invitationDecider,
  invitationStream,
  type Invitation,
  type InvitationCommand,
  type InvitationEvent,
} from './invitation/index.js';
export {
  convertFromUsd,
  currencies,
  displayMoney,
  displayScale,
  fits,
  formatDecimal,
  formatMoney,
  INVALID_AMOUNT,
  MAX_MINOR,
  parseDecimal,
  parseMoney,
  paymentCurrencies,
  PRICE_SCALE,
  scales,
  sizeOf,
  type Currency,
  type Minor,
  type PaymentCurrency,
} from './money.js';
export { addAmounts, isBalanced, move, noAmounts, sumOf, type Amounts, type Posting } from './postings.js';
