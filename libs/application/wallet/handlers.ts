import type { ApplicationParts } from '../parts.js';
import { createAccountHistory } from './history.js';
import {
  ExplainBalance,
  ExplainBalanceHandler,
  GetAccountAsOf,
  GetAccountAsOfHandler,
  GetAccount,
  GetAccountHandler,
  GetStatement,
  GetStatementHandler,
  GetWithdrawable,
  GetWithdrawableHandler,
  ListAccountEvents,
  ListAccountEventsHandler,
  ListOwnEvents,
  ListOwnEventsHandler,
} from './queries.js';
import { handledBy } from '../message.js';

/** The handlers of balances, and of why they are what they are; both ways into the past remember the same states. */
export function walletHandlers(
  parts: Pick<
    ApplicationParts,
    | 'aggregates'
    | 'settings'
    | 'eventStore'
    | 'projections'
    | 'readStore'
    | 'identity'
    | 'timers'
    | 'verification'
    | 'clock'
    | 'networks'
    | 'changeWaitMs'
  >,
) {
  const history = createAccountHistory(parts);
  return [
    handledBy(ExplainBalance, new ExplainBalanceHandler(parts, history)),
    handledBy(GetAccountAsOf, new GetAccountAsOfHandler(history)),
    handledBy(GetAccount, new GetAccountHandler(parts)),
    handledBy(GetStatement, new GetStatementHandler(parts, history)),
    handledBy(GetWithdrawable, new GetWithdrawableHandler(parts.aggregates, parts.settings)),
    handledBy(ListAccountEvents, new ListAccountEventsHandler(parts, history)),
    handledBy(ListOwnEvents, new ListOwnEventsHandler(parts, history)),
  ];
}
