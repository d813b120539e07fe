export { makePasskey, signByPasskey, type SignedByPasskey } from './ceremony';
export { passkeyLackFor } from './lack';
