export { viewOf, withView } from './period';
export { StatementChoice } from './statement-choice';
export { StatementSheet } from './statement-sheet';
