export { Passkeys } from './passkeys';
export { RecoveryCodes } from './recovery-codes';
export { SecondFactor } from './second-factor';
export { SetUp } from './set-up';
