import type { ApplicationParts } from '../parts.js';
import { GetAccountHolder, GetAccountHolderHandler } from './account-holder.js';
import { createAccountNumbers } from './account-numbers.js';
import { CarryTransferOn, CarryTransferOnHandler } from './carry-on.js';
import {
  GetTransfer,
  GetTransferHandler,
  ListReceivedTransfers,
  ListReceivedTransfersHandler,
  ListTransfers,
  ListTransfersHandler,
} from './list.js';
import { RequestTransfer, RequestTransferHandler } from './request-transfer.js';
import { handledBy } from '../message.js';

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
    handledBy(CarryTransferOn, new CarryTransferOnHandler(parts.aggregates)),
    handledBy(GetAccountHolder, new GetAccountHolderHandler(accountNumbers)),
    handledBy(GetTransfer, new GetTransferHandler(parts)),
    handledBy(ListReceivedTransfers, new ListReceivedTransfersHandler(parts)),
    handledBy(ListTransfers, new ListTransfersHandler(parts)),
    handledBy(RequestTransfer, new RequestTransferHandler(parts, accountNumbers)),
  ];
}
