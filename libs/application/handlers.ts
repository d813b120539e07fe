import { accessHandlers } from './access/handlers.js';
import { auditHandlers } from './audit/handlers.js';
import { bonusHandlers } from './bonus/handlers.js';
import { changeHandlers } from './changes/handlers.js';
import { CloseAccount, CloseAccountHandler } from './erasure/close-account.js';
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
import { NoteGiven, NoteGivenHandler } from './security/give.js';
import { settingsHandlers } from './settings/handlers.js';
import { sumsHandlers } from './sums/handlers.js';
import { transactionHandlers } from './transactions/handlers.js';
import { transferHandlers } from './transfers/handlers.js';
import { walletHandlers } from './wallet/handlers.js';
import { handledBy, type Handled } from './message.js';

/** Every message of the application, with its handler. */
export function applicationHandlers(parts: ApplicationParts): readonly Handled[] {
  return [
    ...accessHandlers(parts),
    ...auditHandlers(parts),
    ...bonusHandlers(parts),
    ...changeHandlers(parts),
    ...erasureHandlers(parts),
    handledBy(CloseAccount, new CloseAccountHandler(parts)),
    ...fileHandlers(parts),
    ...mailHandlers(parts),
    ...messageHandlers(parts),
    ...operationsHandlers(parts),
    ...peopleHandlers(parts),
    ...processHandlers(parts),
    ...productHandlers(parts),
    ...registrationHandlers(parts),
    ...requestHandlers(parts),
    handledBy(NoteGiven, new NoteGivenHandler(parts)),
    ...settingsHandlers(parts),
    ...sumsHandlers(parts),
    ...transactionHandlers(parts),
    ...transferHandlers(parts),
    ...walletHandlers(parts),
  ];
}
