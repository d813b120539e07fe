export { createAuthenticator, type Authenticator, type Bent } from './authenticator.js';
