import type { EventStore } from '#event-store';
import {
  CancelEmailChangeHandler,
  GetEmailChangeHandler,
  RequestEmailChangeHandler,
  type EmailChangeDependencies,
} from './change-email.js';
import { ConfirmEmailChangeHandler, FinishEmailChangeHandler } from './confirm-email.js';
import { EndSessionHandler, EndSessionsHandler, SignOutHandler } from './end-sessions.js';
import { ListSecurityEventsHandler } from './history.js';
import { ChangePasswordHandler, ReplacePasswordHandler } from './passwords.js';
import {
  GetAccountInfoHandler,
  GetCredentialHandler,
  GetPasswordPolicyHandler,
  GetTransferPinStateHandler,
  ListSessionsHandler,
} from './queries.js';
import { ReconcileAccessHandler, type HeldStreams } from './reconcile.js';
import { RefreshSessionHandler } from './refresh-session.js';
import {
  AddPasskeyHandler,
  AskPasskeyHandler,
  BeginPasskeyHandler,
  RemovePasskeyHandler,
} from './passkeys.js';
import { FinishSignInHandler, SignInHandler } from './sign-in.js';
import {
  BeginSecondFactorHandler,
  ConfirmSecondFactorHandler,
  GetSecondFactorHandler,
  RemoveLostSecondFactorHandler,
  RemoveSecondFactorHandler,
  RenewRecoveryCodesHandler,
} from './second-factors.js';
import {
  RequestPasswordResetHandler,
  ResetPasswordHandler,
  type ResetDependencies,
} from './reset-password.js';
import { ProveSessionHandler } from './prove-session.js';
import { SetTransferPinHandler } from './transfer-pins.js';
import { RequestEmailVerificationHandler, VerifyEmailHandler } from './verify-email.js';

/** The handlers of the auth service: how people come in, stay in and are put out. Every way in goes through them. */
export function accessHandlers(
  dependencies: ResetDependencies &
    EmailChangeDependencies &
    HeldStreams & { readonly eventStore: EventStore },
) {
  const { identity } = dependencies;
  return [
    new AddPasskeyHandler(dependencies),
    new AskPasskeyHandler(dependencies),
    new BeginPasskeyHandler(dependencies),
    new BeginSecondFactorHandler(dependencies),
    new CancelEmailChangeHandler(dependencies),
    new ConfirmEmailChangeHandler(dependencies),
    new RemovePasskeyHandler(dependencies),
    new ConfirmSecondFactorHandler(dependencies),
    new FinishEmailChangeHandler(dependencies),
    new FinishSignInHandler(dependencies),
    new GetEmailChangeHandler(identity),
    new GetSecondFactorHandler(identity),
    new RemoveLostSecondFactorHandler(dependencies),
    new RemoveSecondFactorHandler(dependencies),
    new RenewRecoveryCodesHandler(dependencies),
    new ChangePasswordHandler(dependencies),
    new EndSessionHandler(dependencies),
    new EndSessionsHandler(dependencies),
    new GetAccountInfoHandler(dependencies),
    new GetCredentialHandler(identity),
    new GetPasswordPolicyHandler(identity),
    new GetTransferPinStateHandler(identity),
    new ListSecurityEventsHandler(dependencies),
    new ListSessionsHandler(identity),
    new ReconcileAccessHandler(dependencies),
    new ProveSessionHandler(dependencies),
    new RefreshSessionHandler(dependencies),
    new ReplacePasswordHandler(dependencies),
    new RequestEmailVerificationHandler(dependencies),
    new RequestEmailChangeHandler(dependencies),
    new RequestPasswordResetHandler(dependencies),
    new ResetPasswordHandler(dependencies),
    new SetTransferPinHandler(dependencies),
    new SignInHandler(dependencies),
    new SignOutHandler(dependencies),
    new VerifyEmailHandler(dependencies),
  ];
}
