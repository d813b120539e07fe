export { createAccessAudit, type AccessAudit } from './access/audit.js';
export { callerContext, sessionContext, visitorContext } from './access/context.js';
export { EndSession, EndSessions, SignOut } from './access/end-sessions.js';
export { accessHandlers } from './access/handlers.js';
export { ChangePassword, ReplacePassword } from './access/passwords.js';
export {
  GetAccountInfo,
  GetCredential,
  GetPasswordPolicy,
  GetTransferPinState,
  ListSessions,
} from './access/queries.js';
export { ReconcileAccess } from './access/reconcile.js';
export { RefreshSession } from './access/refresh-session.js';
export { SignIn, type SignedIn } from './access/sign-in.js';
export { ConfirmTransferPin, SetTransferPin } from './access/transfer-pins.js';
export { OPERATOR, VISITOR } from './actors.js';
export { createAggregates, type Aggregates } from './aggregates.js';
export {
  AccrueBonuses,
  AccrueBonusesHandler,
  BONUS_TICK,
  type BonusBatch,
  type BonusTerms,
} from './bonus/accrue.js';
export { RestartBonusCycle, StartBonusCycle, StopBonus } from './bonus/cycle.js';
export { bonusHandlers } from './bonus/handlers.js';
export { addTally, emptyTally, type Failure, type Tally } from './bonus/tally.js';
export { Bus, busProvider, noMeter, type BusMeter } from './bus.js';
export { ApplicationCommand, sentBy, type Receipt, type Sender } from './command.js';
export type { PersonalContext } from './context.js';
export { ErasePerson, type Erased } from './erasure/erase-person.js';
export { DeleteFilesOf } from './erasure/files.js';
export { erasureHandlers } from './erasure/handlers.js';
export { DestroyMessageKey } from './erasure/message-key.js';
export { applicationHandlers, type Handler } from './handlers.js';
export { InvalidInput, type Issue } from './invalid-input.js';
export { ForgetMessage, MarkMessage } from './messages/handle.js';
export { SendMessage } from './messages/send.js';
export { openWords, type Words } from './messages/words.js';
export {
  decodeCursor,
  encodeCursor,
  readPage,
  wholeInstants,
  type Cursor,
  type Page,
  type PageAsked,
} from './paging.js';
export type { ApplicationParts } from './parts.js';
export { accountsOf, actorName, nameOf } from './people/names.js';
export { openAccount } from './people/open-account.js';
export { ChangeProfile, ChangeProfileImage, SaveWalletAddress } from './people/profile.js';
export { ActivatePerson, SuspendPerson } from './people/standing.js';
export type { Ports, Processes } from './ports.js';
export { ChangeProduct, CreateProduct, DeleteProduct, SetProductStock } from './products/write.js';
export { registrationHandlers } from './registration/handlers.js';
export { InviteAdmin, InviteFirstAdmin, type IssuedInvitation } from './registration/invite.js';
export { Register, type NewPerson, type Registered } from './registration/register.js';
export { AdjustWallet } from './requests/adjust-wallet.js';
export { BookAdjustments, type BookedItem } from './requests/book-adjustments.js';
export { ConfirmRequest, RejectRequest, type DecidedRequest } from './requests/decide.js';
export { RequestFunding } from './requests/request-funding.js';
export { RequestWithdrawal } from './requests/request-withdrawal.js';
export { opened } from './sealed.js';
export { ChangeSettings } from './settings/change.js';
export { GetCounters } from './settings/counters.js';
export { GetSettingsHistory } from './settings/history.js';
export { createSettingsInForce, settingsInForce, type SettingsInForce } from './settings/in-force.js';
export { GetContact, GetContent, GetDepositAddresses, GetDollarRate, GetPrices } from './settings/public.js';
export { pricesAsText, rateAsText } from './settings/texts.js';
export { GetSettings } from './settings/view.js';
export { GetAccountHolder } from './transfers/account-holder.js';
export { transferHandlers } from './transfers/handlers.js';
export { RequestTransfer } from './transfers/request-transfer.js';
export { watchSettings, type SettingsWatchParts } from './settings/watch.js';
export { CarryTransferOn } from './transfers/carry-on.js';
export { walletAddressOf } from './wallet/account-view.js';
export type { Moment } from './wallet/history.js';
export { ExplainBalance, GetAccount, GetAccountAsOf, GetWithdrawable } from './wallet/queries.js';
