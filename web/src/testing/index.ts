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
export { renderApp } from './render';
export { json, problem, serve, to, type Call } from './server';
