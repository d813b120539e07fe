import type { ApplicationParts } from '../parts.js';
import { AdjustWalletHandler } from './adjust-wallet.js';
import { BookAdjustmentsHandler } from './book-adjustments.js';
import { ConfirmRequestHandler, RejectRequestHandler } from './decide.js';
import { RequestFundingHandler } from './request-funding.js';
import { RequestWithdrawalHandler } from './request-withdrawal.js';

/** The handlers of what customers ask for and admins decide. */
export function requestHandlers(parts: ApplicationParts) {
  return [
    new AdjustWalletHandler(parts.aggregates, parts.settings),
    new BookAdjustmentsHandler(parts.aggregates, parts.settings),
    new ConfirmRequestHandler(parts),
    new RejectRequestHandler(parts),
    new RequestFundingHandler(parts),
    new RequestWithdrawalHandler(parts),
  ];
}
