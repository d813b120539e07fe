export type { ActInput } from './act-dialog';
export { ActDialog } from './lazy-act-dialog';
export { Effect, type EffectRow } from './effect';
