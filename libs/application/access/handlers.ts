import type { EventStore } from '#event-store';
import type { AccessDependencies } from './dependencies.js';
import { EndSessionHandler, EndSessionsHandler, SignOutHandler } from './end-sessions.js';
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
import { SignInHandler } from './sign-in.js';
import { SetTransferPinHandler } from './transfer-pins.js';

/** The handlers of the auth service: how people come in, stay in and are put out. Every way in goes through them. */
export function accessHandlers(
  dependencies: AccessDependencies & HeldStreams & { readonly eventStore: EventStore },
) {
  const { identity } = dependencies;
  return [
    new ChangePasswordHandler(dependencies),
    new EndSessionHandler(dependencies),
    new EndSessionsHandler(dependencies),
    new GetAccountInfoHandler(dependencies),
    new GetCredentialHandler(identity),
    new GetPasswordPolicyHandler(identity),
    new GetTransferPinStateHandler(identity),
    new ListSessionsHandler(identity),
    new ReconcileAccessHandler(dependencies),
    new RefreshSessionHandler(dependencies),
    new ReplacePasswordHandler(dependencies),
    new SetTransferPinHandler(dependencies),
    new SignInHandler(dependencies),
    new SignOutHandler(dependencies),
  ];
}
