export { createAuthenticator, type Authenticator, type Bent } from './authenticator.js';
export { totpAt } from './totp.js';
