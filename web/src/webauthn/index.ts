export { makePasskey, signByPasskey, type SignedByPasskey } from './ceremony';
export { passkeyLack, passkeyLacks } from './lack';
