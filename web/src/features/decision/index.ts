export { DecidedMeanwhile, DecisionForm } from './decision-form';
