export { Closed, DecisionActs, ReasonField, Refused, Steps } from './decision-parts';
export { bookedFor } from './effect';
export { TransactionAction } from './lazy-transaction-action';
export { verdictButton } from './verdict-button';
export { done, failed, kindOf, type DecisionKind, type Verdict } from './words';
