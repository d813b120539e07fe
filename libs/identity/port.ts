/** What a person may do: decided when the account is opened, carried by each session. */
export type Role = 'user' | 'admin';

/** An e-mail and an account number that belong to one person. All times are milliseconds since the epoch. */
export type CredentialRow = {
  readonly userId: string;
  /** Folded (`foldEmail`); unique. */
  readonly email: string;
  /** Ten digits; unique for ever, also after the person is gone. */
  readonly accountNumber: string;
  /** Encoded argon2 hash with its parameters and salt. */
  readonly passwordHash: string;
  readonly role: Role;
  /** `reserved` until the account is known to be open in the log. */
  readonly state: 'reserved' | 'active';
  readonly reservedAt: number;
};

/** What is written when an e-mail is reserved: the credential, and the key that the person's data is encrypted with. */
export type Reservation = Omit<CredentialRow, 'state'> & { readonly personKey: Uint8Array };

export type PersonKey =
  | { readonly kind: 'key'; readonly key: Uint8Array }
  /** Destroyed for ever: what it encrypted is forgotten. */
  | { readonly kind: 'destroyed' }
  /** Nobody by that id was ever registered here. */
  | { readonly kind: 'unknown' };

/** One sign-in on one device: the family of all refresh tokens that came from it. */
export type SessionRow = {
  readonly sessionId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** Where it was last used from, and with what. */
  readonly address: string;
  readonly agent: string;
  /** It ends when it stands unused until here; moved on by each refresh, never beyond `endsAt`. */
  readonly idleEndsAt: number;
  readonly endsAt: number;
  /** How often it was refreshed. A refresh token of an earlier generation has been used. */
  readonly generation: number;
  /** When `generation` last changed. */
  readonly rotatedAt: number;
};

/** SHA-256 (hex) of a token that was given out, and when it ends. The token itself is never stored. */
export type TokenRow = { readonly hash: string; readonly expiresAt: number };

/** A compare-and-set on a session: it happens only while the session has the generation that was read. */
export type Rotation = {
  readonly sessionId: string;
  readonly expectedGeneration: number;
  /** The same as expected for a second successor, else one more. */
  readonly generation: number;
  readonly rotatedAt: number;
  readonly lastUsedAt: number;
  readonly idleEndsAt: number;
  readonly address: string;
  readonly agent: string;
  readonly access: TokenRow;
  readonly refreshHash: string;
};

/** Bounds of what one store keeps and one call does. */
export const storeLimits = {
  /** A person's sessions; one more ends the one that was used longest ago. */
  sessionsPerPerson: 50,
  /** Access tokens of one session that are alive at once. */
  accessTokensPerSession: 64,
  /** Generations of used refresh tokens that are remembered, so that a reuse is seen. */
  generationsRemembered: 4_320,
  /** Rows that one `prune` or one page of `staleReservations` touches. */
  batch: 500,
} as const;

/**
 * Rows in, rows out, no rules. Every adapter passes `describeIdentityStore` in `identity/contract`. What changes more
 * than one row happens wholly or not at all, and is durable before it is answered; where two race, exactly one is told
 * that it won.
 *
 * Errors, all `LodeError`: `unavailable` (the engine can't be reached or is busy; nothing was written), `storage_full`
 * (nothing was written), `storage_failed` (the file is damaged or the disk failed).
 */
export interface IdentityStore {
  /** Takes an e-mail and an account number together, or says which of them somebody has. */
  reserve(reservation: Reservation): Promise<'reserved' | 'email_taken' | 'account_number_taken'>;
  credentialByEmail(email: string): Promise<CredentialRow | undefined>;
  credentialOf(userId: string): Promise<CredentialRow | undefined>;
  /** Gives a reservation that is still as it was read a new password; keeps its person and account number. */
  takeOver(
    userId: string,
    expectedReservedAt: number,
    next: { readonly passwordHash: string; readonly role: Role; readonly reservedAt: number },
  ): Promise<boolean>;
  /** Makes a reservation an active credential; true also when it already was, false when there is none. */
  activate(userId: string): Promise<boolean>;
  /** Drops a reservation that is still as it was read, with the person's key. */
  release(userId: string, expectedReservedAt: number): Promise<boolean>;
  /** Replaces the hash that was read by another. */
  setPassword(userId: string, expectedHash: string, passwordHash: string): Promise<boolean>;
  /**
   * Overwrites e-mail and password. The account number stays taken. True when there was something to forget. May be
   * repeated, and must be after an error.
   */
  eraseCredential(userId: string): Promise<boolean>;
  /** Reservations made at or before `before`, oldest first, at most `storeLimits.batch`. */
  staleReservations(before: number): Promise<readonly CredentialRow[]>;
  /** True when an active credential has the role admin. */
  hasAdmin(): Promise<boolean>;

  personKey(userId: string): Promise<PersonKey>;
  /** Keeps a key for what is not a registered person, such as a message; false when there is or was one by that id. */
  createPersonKey(id: string, key: Uint8Array): Promise<boolean>;
  /**
   * Overwrites the key so that it can't be read from the storage again. True when there was one. May be repeated, and
   * must be after an error: only an answer says that the bytes are gone.
   */
  destroyPersonKey(userId: string, at: number): Promise<boolean>;

  /** Opens a session with its first tokens; answers with the ids of sessions that had to end for it. */
  openSession(session: SessionRow, access: TokenRow, refreshHash: string): Promise<readonly string[]>;
  /** The session of an access token that was given out, also when its time is over. */
  sessionByAccess(
    hash: string,
  ): Promise<{ readonly session: SessionRow; readonly expiresAt: number } | undefined>;
  /** The session of a refresh token, and the generation that the token belongs to. */
  sessionByRefresh(
    hash: string,
  ): Promise<{ readonly session: SessionRow; readonly generation: number } | undefined>;
  /**
   * Writes the successors of a refresh token. `conflict`: the session has another generation than expected or is gone;
   * `full`: it has as many live access tokens as it may.
   */
  rotate(rotation: Rotation): Promise<'rotated' | 'conflict' | 'full'>;
  /** True when there was such a session. */
  endSession(sessionId: string): Promise<boolean>;
  /** Ends all sessions of a person, but for `except`, and answers with their ids. */
  endSessionsOf(userId: string, except?: string): Promise<readonly string[]>;
  /** A person's sessions that are alive at `now`, the one used last first. */
  sessionsOf(userId: string, now: number): Promise<readonly SessionRow[]>;
  /** Deletes what ended before `now` (sessions, tokens, invitations), at most `storeLimits.batch` of each; says how many. */
  prune(now: number): Promise<number>;

  /** Keeps the hash of an invitation's token; the same invitation again replaces its token. */
  putInvitationToken(invitationId: string, token: TokenRow): Promise<void>;
  invitationByToken(
    hash: string,
  ): Promise<{ readonly invitationId: string; readonly expiresAt: number } | undefined>;

  /** Lets go of the engine. */
  close(): Promise<void>;
}
