import { accessHandlers } from './access/handlers.js';
import { auditHandlers } from './audit/handlers.js';
import { bonusHandlers } from './bonus/handlers.js';
import { changeHandlers } from './changes/handlers.js';
import { CloseAccountHandler } from './erasure/close-account.js';
import { erasureHandlers } from './erasure/handlers.js';
import { fileHandlers } from './files/handlers.js';
import { mailHandlers } from './mail/handlers.js';
import { messageHandlers } from './messages/handlers.js';
import { operationsHandlers } from './operations/handlers.js';
import type { ApplicationParts } from './parts.js';
import { peopleHandlers } from './people/handlers.js';
import { processHandlers } from './processes/handlers.js';
import { productHandlers } from './products/handlers.js';
import { registrationHandlers } from './registration/handlers.js';
import { requestHandlers } from './requests/handlers.js';
import { NoteGivenHandler } from './security/give.js';
import { settingsHandlers } from './settings/handlers.js';
import { sumsHandlers } from './sums/handlers.js';
import { transactionHandlers } from './transactions/handlers.js';
import { transferHandlers } from './transfers/handlers.js';
import { walletHandlers } from './wallet/handlers.js';

/** Carries out one class of commands, or answers one class of queries; `@CommandHandler` or `@QueryHandler` names it. */
export type Handler = { readonly execute: (message: never) => Promise<unknown> };

/** Every handler of the application. Nest finds by their decorators which message each is for. */
export function applicationHandlers(parts: ApplicationParts): readonly Handler[] {
  return [
    ...accessHandlers(parts),
    ...auditHandlers(parts),
    ...bonusHandlers(parts),
    ...changeHandlers(parts),
    ...erasureHandlers(parts),
    new CloseAccountHandler(parts),
    ...fileHandlers(parts),
    ...mailHandlers(parts),
    ...messageHandlers(parts),
    ...operationsHandlers(parts),
    ...peopleHandlers(parts),
    ...processHandlers(parts),
    ...productHandlers(parts),
    ...registrationHandlers(parts),
    ...requestHandlers(parts),
    new NoteGivenHandler(parts),
    ...settingsHandlers(parts),
    ...sumsHandlers(parts),
    ...transactionHandlers(parts),
    ...transferHandlers(parts),
    ...walletHandlers(parts),
  ];
}
