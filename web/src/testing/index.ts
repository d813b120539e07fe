export {
  accountOf,
  entryOf,
  requestOf,
  sessionOf,
  transferOf,
  whyOf,
  withdrawableOf,
  withdrawalOf,
} from './builders';
export { clipboard } from './clipboard';
export { renderApp } from './render';
export { json, problem, serve, to, type Call } from './server';
