export { Passkeys } from './passkeys';
export { RecoveryCodes } from './recovery-codes';
export { SecondFactor } from './second-factor';
export { SetUpFirst } from './set-up-first';
