export { StepUp } from './step-up';
