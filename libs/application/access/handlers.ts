import type { EventStore } from '#event-store';
import {
  CancelEmailChange,
  CancelEmailChangeHandler,
  GetEmailChange,
  GetEmailChangeHandler,
  RequestEmailChange,
  RequestEmailChangeHandler,
  type EmailChangeDependencies,
} from './change-email.js';
import {
  ConfirmEmailChange,
  ConfirmEmailChangeHandler,
  FinishEmailChange,
  FinishEmailChangeHandler,
} from './confirm-email.js';
import {
  EndSession,
  EndSessionHandler,
  EndSessions,
  EndSessionsHandler,
  SignOut,
  SignOutHandler,
} from './end-sessions.js';
import { ListSecurityEvents, ListSecurityEventsHandler } from './history.js';
import {
  ChangePassword,
  ChangePasswordHandler,
  ReplacePassword,
  ReplacePasswordHandler,
} from './passwords.js';
import {
  GetAccountInfo,
  GetAccountInfoHandler,
  GetCredential,
  GetCredentialHandler,
  GetPasswordPolicy,
  GetPasswordPolicyHandler,
  GetTransferPinState,
  GetTransferPinStateHandler,
  ListSessions,
  ListSessionsHandler,
} from './queries.js';
import { ReconcileAccess, ReconcileAccessHandler, type HeldStreams } from './reconcile.js';
import { RefreshSession, RefreshSessionHandler } from './refresh-session.js';
import {
  AddPasskey,
  AddPasskeyHandler,
  AskPasskey,
  AskPasskeyHandler,
  BeginPasskey,
  BeginPasskeyHandler,
  RemovePasskey,
  RemovePasskeyHandler,
} from './passkeys.js';
import { FinishSignIn, FinishSignInHandler, SignIn, SignInHandler } from './sign-in.js';
import {
  BeginSecondFactor,
  BeginSecondFactorHandler,
  ConfirmSecondFactor,
  ConfirmSecondFactorHandler,
  GetSecondFactor,
  GetSecondFactorHandler,
  RemoveLostSecondFactor,
  RemoveLostSecondFactorHandler,
  RemoveSecondFactor,
  RemoveSecondFactorHandler,
  RenewRecoveryCodes,
  RenewRecoveryCodesHandler,
} from './second-factors.js';
import {
  RequestPasswordReset,
  RequestPasswordResetHandler,
  ResetPassword,
  ResetPasswordHandler,
  type ResetDependencies,
} from './reset-password.js';
import { ProveSession, ProveSessionHandler } from './prove-session.js';
import { SetTransferPin, SetTransferPinHandler } from './transfer-pins.js';
import {
  RequestEmailVerification,
  RequestEmailVerificationHandler,
  VerifyEmail,
  VerifyEmailHandler,
} from './verify-email.js';
import { handledBy } from '../message.js';

/** The handlers of the auth service: how people come in, stay in and are put out. Every way in goes through them. */
export function accessHandlers(
  dependencies: ResetDependencies &
    EmailChangeDependencies &
    HeldStreams & { readonly eventStore: EventStore },
) {
  const { identity } = dependencies;
  return [
    handledBy(AddPasskey, new AddPasskeyHandler(dependencies)),
    handledBy(AskPasskey, new AskPasskeyHandler(dependencies)),
    handledBy(BeginPasskey, new BeginPasskeyHandler(dependencies)),
    handledBy(BeginSecondFactor, new BeginSecondFactorHandler(dependencies)),
    handledBy(CancelEmailChange, new CancelEmailChangeHandler(dependencies)),
    handledBy(ConfirmEmailChange, new ConfirmEmailChangeHandler(dependencies)),
    handledBy(RemovePasskey, new RemovePasskeyHandler(dependencies)),
    handledBy(ConfirmSecondFactor, new ConfirmSecondFactorHandler(dependencies)),
    handledBy(FinishEmailChange, new FinishEmailChangeHandler(dependencies)),
    handledBy(FinishSignIn, new FinishSignInHandler(dependencies)),
    handledBy(GetEmailChange, new GetEmailChangeHandler(identity)),
    handledBy(GetSecondFactor, new GetSecondFactorHandler(identity)),
    handledBy(RemoveLostSecondFactor, new RemoveLostSecondFactorHandler(dependencies)),
    handledBy(RemoveSecondFactor, new RemoveSecondFactorHandler(dependencies)),
    handledBy(RenewRecoveryCodes, new RenewRecoveryCodesHandler(dependencies)),
    handledBy(ChangePassword, new ChangePasswordHandler(dependencies)),
    handledBy(EndSession, new EndSessionHandler(dependencies)),
    handledBy(EndSessions, new EndSessionsHandler(dependencies)),
    handledBy(GetAccountInfo, new GetAccountInfoHandler(dependencies)),
    handledBy(GetCredential, new GetCredentialHandler(identity)),
    handledBy(GetPasswordPolicy, new GetPasswordPolicyHandler(identity)),
    handledBy(GetTransferPinState, new GetTransferPinStateHandler(identity)),
    handledBy(ListSecurityEvents, new ListSecurityEventsHandler(dependencies)),
    handledBy(ListSessions, new ListSessionsHandler(identity)),
    handledBy(ReconcileAccess, new ReconcileAccessHandler(dependencies)),
    handledBy(ProveSession, new ProveSessionHandler(dependencies)),
    handledBy(RefreshSession, new RefreshSessionHandler(dependencies)),
    handledBy(ReplacePassword, new ReplacePasswordHandler(dependencies)),
    handledBy(RequestEmailVerification, new RequestEmailVerificationHandler(dependencies)),
    handledBy(RequestEmailChange, new RequestEmailChangeHandler(dependencies)),
    handledBy(RequestPasswordReset, new RequestPasswordResetHandler(dependencies)),
    handledBy(ResetPassword, new ResetPasswordHandler(dependencies)),
    handledBy(SetTransferPin, new SetTransferPinHandler(dependencies)),
    handledBy(SignIn, new SignInHandler(dependencies)),
    handledBy(SignOut, new SignOutHandler(dependencies)),
    handledBy(VerifyEmail, new VerifyEmailHandler(dependencies)),
  ];
}
