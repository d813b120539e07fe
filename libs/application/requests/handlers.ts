import type { ApplicationParts } from '../parts.js';
import { AdjustWalletHandler } from './adjust-wallet.js';
import { BookAdjustmentsHandler } from './book-adjustments.js';
import { ConfirmRequestHandler, RejectRequestHandler } from './decide.js';
import {
  GetFundRequestHandler,
  GetWithdrawalHandler,
  ListFundRequestsHandler,
  ListWithdrawalsHandler,
} from './list.js';
import { ListOpenRequestsHandler } from './open.js';
import { RequestFundingHandler } from './request-funding.js';
import { RequestWithdrawalHandler } from './request-withdrawal.js';

/** The handlers of what customers ask for and admins decide. */
export function requestHandlers(
  parts: Pick<
    ApplicationParts,
    | 'aggregates'
    | 'settings'
    | 'readStore'
    | 'identity'
    | 'files'
    | 'clock'
    | 'timers'
    | 'random'
    | 'accessAudit'
    | 'verification'
    | 'networks'
  >,
) {
  return [
    new AdjustWalletHandler(parts.aggregates, parts.settings),
    new BookAdjustmentsHandler(parts.aggregates, parts.settings, parts.timers),
    new ConfirmRequestHandler(parts),
    new GetFundRequestHandler(parts),
    new GetWithdrawalHandler(parts),
    new ListFundRequestsHandler(parts),
    new ListOpenRequestsHandler(parts),
    new ListWithdrawalsHandler(parts),
    new RejectRequestHandler(parts),
    new RequestFundingHandler(parts),
    new RequestWithdrawalHandler(parts),
  ];
}
