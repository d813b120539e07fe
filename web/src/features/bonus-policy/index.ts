export { useBonusPreviewQuery } from './api';
export { BonusPolicyForm } from './bonus-policy-form';
export { BonusSum } from './bonus-sum';
