export { availableOf } from './available';
export { Limit } from './limit';
export { networkName } from './networks';
export { tellRefusal } from './tell-refusal';
export { amountProblem, insufficient } from './words';
