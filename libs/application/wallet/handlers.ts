import type { ApplicationParts } from '../parts.js';
import { createAccountHistory } from './history.js';
import {
  ExplainBalanceHandler,
  GetAccountAsOfHandler,
  GetAccountHandler,
  GetStatementHandler,
  GetWithdrawableHandler,
  ListAccountEventsHandler,
  ListOwnEventsHandler,
} from './queries.js';

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
    new ExplainBalanceHandler(parts, history),
    new GetAccountAsOfHandler(history),
    new GetAccountHandler(parts),
    new GetStatementHandler(parts, history),
    new GetWithdrawableHandler(parts.aggregates, parts.settings),
    new ListAccountEventsHandler(parts, history),
    new ListOwnEventsHandler(parts, history),
  ];
}
