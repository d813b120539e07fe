import type { ApplicationParts } from '../parts.js';
import { AdjustWallet, AdjustWalletHandler } from './adjust-wallet.js';
import { BookAdjustments, BookAdjustmentsHandler } from './book-adjustments.js';
import {
  ApproveAdjustment,
  ApproveAdjustmentHandler,
  RejectAdjustment,
  RejectAdjustmentHandler,
} from './decide-adjustment.js';
import { ConfirmRequest, ConfirmRequestHandler, RejectRequest, RejectRequestHandler } from './decide.js';
import { FindEvidenceUses, FindEvidenceUsesHandler } from './evidence-uses.js';
import {
  GetFundRequest,
  GetFundRequestHandler,
  GetWithdrawal,
  GetWithdrawalHandler,
  ListFundRequests,
  ListFundRequestsHandler,
  ListWithdrawals,
  ListWithdrawalsHandler,
} from './list.js';
import { ListRequests, ListRequestsHandler } from './list-all.js';
import {
  GetApprovalsNeeded,
  GetApprovalsNeededHandler,
  ListApprovals,
  ListApprovalsHandler,
} from './list-approvals.js';
import { ListOpenRequests, ListOpenRequestsHandler } from './open.js';
import { RequestFunding, RequestFundingHandler } from './request-funding.js';
import { RequestWithdrawal, RequestWithdrawalHandler } from './request-withdrawal.js';
import { handledBy } from '../message.js';

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
    handledBy(AdjustWallet, new AdjustWalletHandler(parts)),
    handledBy(ApproveAdjustment, new ApproveAdjustmentHandler(parts)),
    handledBy(BookAdjustments, new BookAdjustmentsHandler(parts)),
    handledBy(ConfirmRequest, new ConfirmRequestHandler(parts)),
    handledBy(FindEvidenceUses, new FindEvidenceUsesHandler(parts)),
    handledBy(GetFundRequest, new GetFundRequestHandler(parts)),
    handledBy(GetWithdrawal, new GetWithdrawalHandler(parts)),
    handledBy(ListFundRequests, new ListFundRequestsHandler(parts)),
    handledBy(GetApprovalsNeeded, new GetApprovalsNeededHandler(parts)),
    handledBy(ListApprovals, new ListApprovalsHandler(parts)),
    handledBy(ListOpenRequests, new ListOpenRequestsHandler(parts)),
    handledBy(ListRequests, new ListRequestsHandler(parts)),
    handledBy(ListWithdrawals, new ListWithdrawalsHandler(parts)),
    handledBy(RejectAdjustment, new RejectAdjustmentHandler(parts)),
    handledBy(RejectRequest, new RejectRequestHandler(parts)),
    handledBy(RequestFunding, new RequestFundingHandler(parts)),
    handledBy(RequestWithdrawal, new RequestWithdrawalHandler(parts)),
  ];
}
