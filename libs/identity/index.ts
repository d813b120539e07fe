export {
  ATTEMPT_LIMITS,
  CODE_ATTEMPT_LIMITS,
  createAttempts,
  guardAttempts,
  type Attempt,
  type AttemptLimits,
  type Attempts,
  type GuardedAttempts,
} from './attempts.js';
export { createBuckets, createBucketsOf, localBuckets, type Buckets, type BucketsOf } from './buckets.js';
export { createDamagedRows, damagedRow, damagedRowIn, type DamagedRow, type DamagedRows } from './damage.js';
export { watchChanges, type Changes } from './changes.js';
export { networkOf } from './addresses.js';
export {
  foldEmail,
  ABANDONED_MS,
  RESERVATION_MS,
  suspended,
  type Credentials,
  type EmailChange,
  type Known,
  type Person,
  type Registration,
  type Reserved,
} from './credentials.js';
export {
  furtherHead,
  headIn,
  headText,
  type IdentityStanding,
  type KeptHead,
  type StoresHead,
} from './head.js';
export { createIdentity, type Identity, type IdentityParts } from './identity.js';
export { REQUEST_KEPT_MS, type Carried, type KeptRequests } from './kept-requests.js';
export type { InvitationTokens } from './invitations.js';
export { LINK_MS, linkInvalid, type Link, type LinkHolder, type LinkPurpose, type Links } from './links.js';
export {
  MAIL_ATTEMPT_MS,
  MAIL_GIVE_UP_MS,
  MAIL_RETRY,
  type MailContent,
  type Mails,
  type MailSent,
  type MailView,
  type NewMail,
} from './mails.js';
export {
  DEFAULT_PASSWORD_POLICY,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  passwordClasses,
  refusedPasswords,
  unchangedPassword,
  type PasswordClass,
  type PasswordOwner,
  type PasswordPolicy,
} from './password-policy.js';
export type { OwnNetworks } from './networks.js';
export type { Hasher } from './passwords.js';
export {
  joinKeyHolders,
  KEYS_HELD_MS,
  sealingWhileHeld,
  type KeyHolder,
  type KeyHolders,
} from './key-holders.js';
export {
  admitKeyRing,
  checkSealKeys,
  checkStillAdmitted,
  isRewrapDue,
  readKeyRing,
  rewrapStore,
  type KeyRing,
  type Rewrapped,
} from './key-ring.js';
export {
  PASSKEY_CHALLENGE_MS,
  PASSKEY_TRANSPORTS,
  PASSKEYS_MAX,
  type NewPasskey,
  type PasskeyAssertion,
  type PasskeyCreation,
  type PasskeyPurpose,
  type PasskeyRequest,
  type Passkeys,
  type PasskeysRefusal,
  type PasskeyView,
} from './passkeys.js';
export {
  createPersonKeysReader,
  orDamaged,
  type PersonKeys,
  type PersonKeysReader,
  type PersonKeysSource,
} from './person-keys.js';
export { FORGOTTEN, decryptPersonalData, type Forgotten, type PersonalData } from './personal-data.js';
export {
  storeLimits,
  type CredentialRow,
  type IdentityStore,
  type KeptCredential,
  type KeptRequest,
  type LinkRow,
  type MailRow,
  type MailState,
  type PersonKey,
  type PersonRecord,
  type PinTry,
  type RowsPlace,
  type RowsChecked,
  type RenewedSecrets,
  type Reservation,
  type Role,
  type Rotation,
  type SealKey,
  type SecondFactorRow,
  type Secrets,
  type SessionRow,
  type TokenRow,
  type Allowance,
  type SharedCounts,
} from './port.js';
export {
  RECOVERY_CODES,
  SECOND_FACTOR_SETUP_MS,
  type SecondFactorProof,
  type SecondFactors,
  type SecondFactorState,
} from './second-factors.js';
export {
  ACCESS_TOKEN_MS,
  boundedClient,
  REFRESH_OVERLAP_MS,
  ADMIN_SESSION_MS,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  SHARED_TRUST_MS,
  type Client,
  type DoorSignIn,
  type RefreshReuse,
  type Session,
  type SessionView,
  type Sessions,
  type Tokens,
} from './sessions.js';
export { codeAt, STEP_MS } from './totp.js';
export { PIN_TRIES_MAX, type TransferPins } from './transfer-pins.js';
