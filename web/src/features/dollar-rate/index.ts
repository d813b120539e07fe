export { DollarRateButton } from './dollar-rate-button';
