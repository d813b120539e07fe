export { codeCodes, CodeInput, codeOf, codeProblem } from './code-input';
export { PinForm } from './pin-form';
export { isPin, PinInput, WRONG_PIN } from './pin-input';
export { Proof } from './proof';
export { moneyProofOf, proofCodes, ProofInput } from './proof-input';
export { SecurityProof } from './security-proof';
export { useCanSign, useProof, type FormProof, type Proven, type Purpose } from './use-proof';
