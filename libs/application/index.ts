export { ListSecurityEvents } from './access/history.js';
export { createAccessAudit, type AccessAudit } from './access/audit.js';
export { callerContext, sessionContext, visitorContext, type Authenticate } from './access/context.js';
export { EndSession, EndSessions, SignOut } from './access/end-sessions.js';
export { accessHandlers } from './access/handlers.js';
export { ChangePassword, ReplacePassword } from './access/passwords.js';
export { AddPasskey, AskPasskey, BeginPasskey, RemovePasskey } from './access/passkeys.js';
export { RequestPasswordReset, ResetPassword } from './access/reset-password.js';
export {
  GetAccountInfo,
  GetCredential,
  GetPasswordPolicy,
  GetTransferPinState,
  ListSessions,
} from './access/queries.js';
export { ReconcileAccess } from './access/reconcile.js';
export { ProveSession } from './access/prove-session.js';
export { RefreshSession } from './access/refresh-session.js';
export {
  BeginSecondFactor,
  ConfirmSecondFactor,
  GetSecondFactor,
  RemoveLostSecondFactor,
  RemoveSecondFactor,
  RenewRecoveryCodes,
  type OwnSecondFactor,
} from './access/second-factors.js';
export { FinishSignIn, SignIn, type SecondStep, type SignedIn } from './access/sign-in.js';
export {
  CancelEmailChange,
  GetEmailChange,
  RequestEmailChange,
  type PendingEmail,
} from './access/change-email.js';
export { ConfirmEmailChange, FinishEmailChange } from './access/confirm-email.js';
export { SetTransferPin } from './access/transfer-pins.js';
export { RequestEmailVerification, VerifyEmail, type Verification } from './access/verify-email.js';
export { operatorHandlers, RemoveSecondFactorOf } from './access/operator.js';
export { OPERATOR } from './actors.js';
export { createAdminGate, STEP_UP_MS, type AdminGate } from './admins/gate.js';
export { ListAdmins } from './admins/duties.js';
export { createAdminRights, watchAdminRights, type AdminRights } from './admins/rights.js';
export { createPasswordDuty, passwordRequired, type PasswordDuty } from './access/password-duty.js';
export { createSecondFactorDuty, whileNotDue, type SecondFactorDuty } from './admins/second-factor.js';
export { sessionsInForce } from './admins/sessions.js';
export { acceptClock, findKnownTime, GetClock, type ClockView } from './platform/clock.js';
export { acceptStores } from './platform/stores.js';
export { foundPlatform, platformIdIn } from './platform/found.js';
export { createAggregates, type Aggregates } from './aggregates.js';
export {
  GetCausation,
  GetEvent,
  GetTrialBalance,
  ListTrialPostings,
  ReadStream,
  SearchEvents,
} from './audit/queries.js';
export { ReadCase } from './audit/case.js';
export { ownerOfStream, peopleIn } from './audit/whose.js';
export type { LogMoment } from './audit/trial-balance.js';
export {
  AccrueBonuses,
  AccrueBonusesHandler,
  BONUS_TICK,
  tickRunId,
  type BonusBatch,
  type BonusSettings,
} from './bonus/accrue.js';
export { StartBonusCycle, StopBonus } from './bonus/cycle.js';
export { GetEarliestTick, ListAccountsDue, ListAccountsDueHandler } from './bonus/due.js';
export { GetBonusPreview } from './bonus/preview.js';
export { bonusHandlers } from './bonus/handlers.js';
export { addTally, emptyTally, type Failure, type Tally } from './bonus/tally.js';
export { Bus, noMeter, type BusMeter, type BusParts } from './bus.js';
export { AskForChange } from './changes/ask.js';
export { ApproveChange, MakeApprovedChange, RejectChange } from './changes/decide.js';
export { ListChanges } from './changes/list.js';
export { ApplicationCommand, type Receipt } from './command.js';
export type { PersonalContext } from './context.js';
export { CloseAccount } from './erasure/close-account.js';
export { EraseAccount } from './erasure/erase-account.js';
export { ErasePerson } from './erasure/erase-person.js';
export { DeleteFilesOf } from './erasure/files.js';
export { erasureHandlers } from './erasure/handlers.js';
export { DestroyMessageKey } from './erasure/message-key.js';
export { ListFilesOf } from './files/list.js';
export { OpenFile, OpenProfileImage, OpenPublicFile, type OpenedFile } from './files/open.js';
export { SweepFiles } from './files/sweep.js';
export { UploadFile } from './files/upload.js';
export { applicationHandlers } from './handlers.js';
export { InvalidInput, type Issue } from './invalid-input.js';
export { dispatchTo, Query, type Dispatch, type Handled } from './message.js';
export { createLiveChanges, type LiveChanges, type LiveListener, type LiveTelling } from './live/changes.js';
export { ListMails } from './mail/list.js';
export { createMailing, type Mailing } from './mail/mailing.js';
export { NotifyOwners } from './mail/notify-owners.js';
export { NotifyPerson } from './mail/notify.js';
export { SendMails } from './mail/send.js';
export { ForgetMessage, MarkMessage } from './messages/handle.js';
export { ListMessages } from './messages/list.js';
export { SendMessage } from './messages/send.js';
export {
  CancelBackup,
  CancelVerification,
  GetBackups,
  GetVerification,
  MakeBackup,
  Verify,
} from './operations/chores.js';
export { watchHeldStreams, type HeldStreams } from './operations/held.js';
export { CheckHealth } from './operations/health.js';
export { healthTable } from './operations/health-table.js';
export {
  ListReadModels,
  CancelRebuild,
  RebuildReadModel,
  ReplayParkedEvents,
  WaitForPosition,
} from './operations/read-models.js';
export { DiscardParkedEvent, ListParkedEvents } from './operations/parked.js';
export { GetSystemEngines, GetSystemSettings } from './operations/system.js';
export { GetTotals } from './operations/totals.js';
export type { ApplicationParts } from './parts.js';
export { ListPeople } from './people/list.js';
export { AddNote, ListNotes } from './people/notes.js';
export { AskForOwnData } from './people/own-data.js';
export { ChangeProfile, ChangeProfileImage, ReadNotifications } from './people/profile.js';
export { CancelWalletAddress, SaveWalletAddress } from './people/wallet-address.js';
export type { Networks } from './wallet/networks.js';
export { peopleHandlers } from './people/handlers.js';
export { ActivatePerson, SuspendPerson } from './people/suspension.js';
export type {
  ChoreName,
  ChoreRun,
  Chores,
  Condition,
  JobsCondition,
  LastBackup,
  Ports,
  Processes,
} from './ports.js';
export { GetJobsCondition, ListJobs, RunBonusTick, RunJob } from './processes/jobs.js';
export { ListTickResults } from './processes/tick-results.js';
export { ListReactors, RetryReactors } from './processes/reactors.js';
export { GetRequestsByAge } from './sums/by-age.js';
export { GetDailySums } from './sums/daily.js';
export { ListStalledTransfers, STALLED_AFTER_MS, stalledTransfers } from './processes/stalled.js';
export { GetProduct, GetProductByName, ListProducts } from './products/list.js';
export { ChangeProduct, CreateProduct, DeleteProduct, SetProductStock } from './products/write.js';
export { invitationHandlers } from './registration/handlers.js';
export { InviteAdmin, InviteFirstAdmin, type IssuedInvitation } from './registration/invite.js';
export { ListInvitations, RevokeInvitation } from './registration/invitations.js';
export { createRegistrationLimit } from './registration/limit.js';
export { Register } from './registration/register.js';
export type { Decided } from './requests/approvals.js';
export { AdjustWallet } from './requests/adjust-wallet.js';
export { BookAdjustments, type BookedItem } from './requests/book-adjustments.js';
export { ConfirmRequest, RejectRequest, type DecidedRequest } from './requests/decide.js';
export { FindEvidenceUses } from './requests/evidence-uses.js';
export { GetFundRequest, GetWithdrawal, ListFundRequests, ListWithdrawals } from './requests/list.js';
export { ListRequests } from './requests/list-all.js';
export { ApproveAdjustment, RejectAdjustment } from './requests/decide-adjustment.js';
export { GetApprovalsNeeded, ListApprovals } from './requests/list-approvals.js';
export { ListOpenRequests } from './requests/open.js';
export { RequestFunding } from './requests/request-funding.js';
export { RequestWithdrawal } from './requests/request-withdrawal.js';
export { SetAdminAccess } from './settings/admin-access.js';
export { ChangeSettings } from './settings/change.js';
export { DraftContent } from './settings/draft.js';
export { GetCounters, type CounterFloors } from './settings/counters.js';
export { GetFigures } from './settings/figures.js';
export { GetContentVersion, GetSettingsHistory } from './settings/history.js';
export { createSettingsInForce, settingsInForce, type SettingsInForce } from './settings/in-force.js';
export { textsToAccept } from './registration/texts.js';
export { GetContact, GetContent, GetDepositAddresses, GetDollarRate, GetPrices } from './settings/public.js';
export { GetSettings } from './settings/view.js';
export { ListNotifications, ListTransactions } from './transactions/list.js';
export { GetAccountHolder } from './transfers/account-holder.js';
export { transferHandlers } from './transfers/handlers.js';
export { GetTransfer, ListReceivedTransfers, ListTransfers } from './transfers/list.js';
export { RequestTransfer } from './transfers/request-transfer.js';
export { NoteGiven } from './security/give.js';
export { watchSecurity, type SecurityLog } from './security/log.js';
export { destroyOldNetworkKeys } from './security/network-keys.js';
export { notedAs } from './security/refusals.js';
export { watchSettings } from './settings/watch.js';
export { CarryTransferOn } from './transfers/carry-on.js';
export {
  ExplainBalance,
  GetAccount,
  GetAccountAsOf,
  GetStatement,
  GetWithdrawable,
  ListAccountEvents,
  ListOwnEvents,
} from './wallet/queries.js';
/** What of the engines' libraries those who send commands and queries speak of. */
export type { CommandContext } from '#commands';
export { fileNotFound, uploadCanceled, type ByteRange, type FileMetadata, type FilePurpose } from '#files';
export {
  networkOf,
  type Client,
  type Known,
  type PasswordPolicy,
  type Session,
  type SessionView,
  type Tokens,
} from '#identity';
