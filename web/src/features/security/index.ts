export { codeCodes, CodeInput, codeOf, codeProblem, useAsksCode } from './code-input';
export { PinForm } from './pin-form';
export { moneyProofOf, proofCodes, ProofInput } from './proof-input';
export { isPin, PinInput, WRONG_PIN } from './pin-input';
