export { serveIdentityToolkit } from './serve.js';
