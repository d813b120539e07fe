export { accountOf, entryOf, requestOf, sessionOf, whyOf } from './builders';
export { renderApp } from './render';
export { json, problem, serve, to, type Call } from './server';
