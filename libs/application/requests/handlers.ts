import type { ApplicationParts } from '../parts.js';
import { AdjustWalletHandler } from './adjust-wallet.js';
import { BookAdjustmentsHandler } from './book-adjustments.js';
import { ApproveAdjustmentHandler, RejectAdjustmentHandler } from './decide-adjustment.js';
import { ConfirmRequestHandler, RejectRequestHandler } from './decide.js';
import { FindEvidenceUsesHandler } from './evidence-uses.js';
import {
  GetFundRequestHandler,
  GetWithdrawalHandler,
  ListFundRequestsHandler,
  ListWithdrawalsHandler,
} from './list.js';
import { ListRequestsHandler } from './list-all.js';
import { GetApprovalsNeededHandler, ListApprovalsHandler } from './list-approvals.js';
import { ListOpenRequestsHandler } from './open.js';
import { RequestFundingHandler } from './request-funding.js';
import { RequestWithdrawalHandler } from './request-withdrawal.js';

/** The handlers of what customers ask for and admins decide. */
export function requestHandlers(
  parts: Pick<
    ApplicationParts,
    | 'aggregates'
    | 'admins'
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
    new AdjustWalletHandler(parts),
    new ApproveAdjustmentHandler(parts),
    new BookAdjustmentsHandler(parts),
    new ConfirmRequestHandler(parts),
    new FindEvidenceUsesHandler(parts),
    new GetFundRequestHandler(parts),
    new GetWithdrawalHandler(parts),
    new ListFundRequestsHandler(parts),
    new GetApprovalsNeededHandler(parts),
    new ListApprovalsHandler(parts),
    new ListOpenRequestsHandler(parts),
    new ListRequestsHandler(parts),
    new ListWithdrawalsHandler(parts),
    new RejectAdjustmentHandler(parts),
    new RejectRequestHandler(parts),
    new RequestFundingHandler(parts),
    new RequestWithdrawalHandler(parts),
  ];
}
