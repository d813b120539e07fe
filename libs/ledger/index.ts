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
export type { BonusPolicy } from './bonus-policy.js';
export { availableOf, heldOf, type LedgerAccount } from './chart.js';
export {
  invitationDecider,
  invitationStream,
  type Invitation,
  type InvitationCommand,
  type InvitationEvent,
} from './invitation/index.js';
export {
  messageDecider,
  messageStream,
  type Message,
  type MessageCommand,
  type MessageEvent,
} from './message/index.js';
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
export {
  BONUS_POLICY_LIMITS,
  BONUS_RATE,
  CONTENT_BYTES_MAX,
  defaultBonusPolicy,
  depositFields,
  PRICE_LIMITS,
  RATE_LIMITS,
  RATE_SCALE,
  settingsDecider,
  settingsStream,
  type ContentSections,
  type DepositDetails,
  type DepositField,
  type Settings,
  type SettingsCommand,
  type SettingsEvent,
} from './settings/index.js';
