export { availableOf } from './available';
export { Limit } from './limit';
export { networkName } from './networks';
export { tellRefusal } from './tell-refusal';
export { useDraft, type Kept } from './use-draft';
export { amountProblem, insufficient } from './words';
