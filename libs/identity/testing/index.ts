export { createAuthenticator, type Authenticator, type Bent } from './authenticator.js';
export { quickHasher } from './quick-hasher.js';
export { totpAt } from './totp.js';
