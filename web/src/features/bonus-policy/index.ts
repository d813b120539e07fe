export { BonusPolicyForm } from './bonus-policy-form';
