export {
  ATTEMPT_LIMITS,
  createAttempts,
  createBuckets,
  type Allowance,
  type Attempt,
  type AttemptLimits,
  type Attempts,
} from './attempts.js';
export { networkOf } from './addresses.js';
export {
  foldEmail,
  RESERVATION_MS,
  type Credentials,
  type Person,
  type Registration,
  type Reserved,
} from './credentials.js';
export { createIdentity, type Identity, type IdentityParts } from './identity.js';
export type { InvitationTokens } from './invitations.js';
export type { PersonKeys, PersonKeysReader } from './person-keys.js';
export { FORGOTTEN, unseal, type Forgotten, type PersonalData } from './personal-data.js';
export {
  storeLimits,
  type CredentialRow,
  type IdentityStore,
  type PersonKey,
  type Reservation,
  type Role,
  type Rotation,
  type SessionRow,
  type TokenRow,
} from './port.js';
export {
  ACCESS_TOKEN_MS,
  REFRESH_OVERLAP_MS,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  type Client,
  type RefreshReuse,
  type Session,
  type SessionView,
  type Sessions,
  type Tokens,
} from './sessions.js';
