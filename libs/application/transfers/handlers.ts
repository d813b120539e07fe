import type { ApplicationParts } from '../parts.js';
import { GetAccountHolderHandler } from './account-holder.js';
import { createAccountNumbers } from './account-numbers.js';
import { CarryTransferOnHandler } from './carry-on.js';
import { GetTransferHandler, ListReceivedTransfersHandler, ListTransfersHandler } from './list.js';
import { RequestTransferHandler } from './request-transfer.js';

/** The handlers of transfers; a look-up of an account number counts whatever it is for. */
export function transferHandlers(
  parts: Pick<
    ApplicationParts,
    | 'aggregates'
    | 'admins'
    | 'settings'
    | 'accessAudit'
    | 'readStore'
    | 'identity'
    | 'clock'
    | 'hold'
    | 'random'
    | 'verification'
  >,
) {
  const accountNumbers = createAccountNumbers(parts.readStore, parts.identity.bucketsOf);
  return [
    new CarryTransferOnHandler(parts.aggregates),
    new GetAccountHolderHandler(accountNumbers),
    new GetTransferHandler(parts),
    new ListReceivedTransfersHandler(parts),
    new ListTransfersHandler(parts),
    new RequestTransferHandler(parts, accountNumbers),
  ];
}
