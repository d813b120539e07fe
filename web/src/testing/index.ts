export {
  accountOf,
  entryOf,
  noSecondFactor,
  passkeyOf,
  requestOf,
  secondFactorOf,
  sessionOf,
  transferOf,
  whyOf,
  withdrawableOf,
  withdrawalOf,
} from './builders';
export { clipboard } from './clipboard';
export { madePasskey, passkeyBrowser, passkeyCreation, passkeyRequest, signedByPasskey } from './passkeys';
export { renderApp } from './render';
export { json, problem, serve, to, type Call } from './server';
