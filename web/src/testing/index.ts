export {
  accountOf,
  changeOf,
  entryOf,
  noSecondFactor,
  passkeyOf,
  requestOf,
  secondFactorOf,
  sessionOf,
  settingsOf,
  transferOf,
  waitingOf,
  whyOf,
  withdrawableOf,
  withdrawalOf,
} from './builders';
export { clipboard } from './clipboard';
export { madePasskey, passkeyBrowser, passkeyCreation, passkeyRequest, signedByPasskey } from './passkeys';
export { renderApp } from './render';
export { json, problem, queryOf, serve, to, type Call } from './server';
