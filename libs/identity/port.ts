import type { DamagedRow } from './damage.js';
import type { IdentityStanding, KeptHead, StoresHead } from './head.js';

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
  /** Which of the programs that share the store reserved it. */
  readonly owner: string;
  /** Nobody signs in as this person. */
  readonly suspended: boolean;
  /** How often everything that was known of the person before became worthless: a new password, a suspension. */
  readonly epoch: number;
};

/** What is written when an e-mail is reserved: the credential, and the key that the person's data is encrypted with. */
export type Reservation = Omit<CredentialRow, 'state' | 'suspended' | 'epoch'> & {
  readonly personKey: Uint8Array;
};

/** What is left of a transfer pin's tries once one of them was taken, and the hash to compare with. */
export type PinTry =
  | { readonly kind: 'taken'; readonly hash: string; readonly triesLeft: number }
  | { readonly kind: 'locked' }
  /** The person has set no pin. */
  | { readonly kind: 'missing' };

/** A person's second factor. Each change gives it another stamp, by which two at once are told apart. */
export type SecondFactorRow = {
  /** False until a first code has shown that the person has it. */
  readonly isOn: boolean;
  /** All that it is, encrypted with the person's key. */
  readonly sealed: string;
  readonly stamp: string;
};

/** That a person's sessions end, but for one if it is named. */
export type SessionsEnd = { readonly except?: string | undefined };

export type PersonKey =
  | { readonly kind: 'key'; readonly key: Uint8Array }
  /** Destroyed for ever: what it encrypted is forgotten. */
  | { readonly kind: 'destroyed' }
  /** Nobody by that id was ever registered here. */
  | { readonly kind: 'unknown' };

/** Who somebody is. Of an erased person the account number is left, which stays taken. */
export type KeptCredential =
  | Omit<CredentialRow, 'userId'>
  | (Omit<CredentialRow, 'userId' | 'email' | 'passwordHash' | 'state'> & { readonly state: 'erased' });

/**
 * All that is kept of one id but for sessions, networks and requests, for a copy of the store. A key can be that of a
 * message.
 */
export type PersonRecord = {
  readonly userId: string;
  readonly credential?: KeptCredential;
  readonly key?:
    | Extract<PersonKey, { readonly kind: 'key' }>
    /** Lost: it was given up, and not destroyed by an erasure. */
    | { readonly kind: 'destroyed'; readonly at: number; readonly isLost?: true };
  readonly pin?: { readonly hash: string; readonly tries: number };
  readonly secondFactor?: SecondFactorRow;
};

/**
 * A key outside the store that secrets in it are sealed with, by its id, and a text sealed with it by which its bytes are
 * known again. An empty id stands for secrets that are not sealed.
 */
export type SealKey = { readonly id: string; readonly proof: string };

/** What is kept of one id that is worth sealing, as it is stored. */
export type Secrets = {
  readonly key?: Uint8Array;
  readonly passwordHash?: string;
  readonly pinHash?: string;
};

/** A page of ids whose secrets were looked at. */
export type RenewedSecrets = {
  readonly seen: number;
  readonly changed: number;
  /** What of them is not what was written, and stays so: one row an id. */
  readonly damaged: readonly DamagedRow[];
  /** Where the next page begins; undefined after the last one. */
  readonly last?: string;
};

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
  /** When the password was shown for it at the identity door; nothing where it began elsewhere. */
  readonly doorSignInAt?: number;
  /** When its owner last proved for it who they are; nothing of a session from before that was kept. */
  readonly provedAt?: number;
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

/** What is to become of a mail, or has. */
export type MailState = 'queued' | 'sent' | 'given up';

/** A mail, kept from when it was queued until it is pruned. Times are milliseconds since the epoch. */
export type MailRow = {
  readonly mailId: string;
  readonly userId: string;
  readonly kind: string;
  /** Whom it goes to, and what it says, both encrypted with the person's key. */
  readonly recipient: string;
  /** Nothing once it has ended: a link that was sent is nobody else's. */
  readonly body?: string;
  readonly state: MailState;
  readonly queuedAt: number;
  /** Nobody sends it any more after that. */
  readonly giveUpAt: number;
  /** When it is tried next; of one that has ended, when that was. */
  readonly dueAt: number;
  /** Attempts begun so far. */
  readonly attempts: number;
  /** What the last attempt failed with. */
  readonly failure?: string;
};

/** What a mail becomes: due again, or ended. */
export type MailOutcome = Pick<MailRow, 'state' | 'dueAt' | 'failure'>;

/** What the token of a one-time link stands for. Of the token only the hash is kept. */
export type LinkRow = {
  readonly hash: string;
  readonly purpose: string;
  readonly userId: string;
  /** The person's epoch when it was made: whatever counts that on makes the link void. */
  readonly epoch: number;
  readonly expiresAt: number;
  /** What else it is about, encrypted with the person's key. */
  readonly sealed?: string;
};

/** Where a look at all rows goes on: behind a row of a table. */
export type RowsPlace = { readonly table: string; readonly id: string };

/** What a part of a look at all rows came to. */
export type RowsChecked = {
  readonly rows: number;
  readonly damaged: readonly DamagedRow[];
  /** Undefined at the end. */
  readonly next: RowsPlace | undefined;
};

/** A bucket: `burst` at once, then one more each `everyMs`. */
export type Allowance = { readonly burst: number; readonly everyMs: number };

/**
 * What is counted in one place by all programs that share a store, in buckets by key. How much is in one by now is told by the
 * store's clock, whatever those of the programs say.
 */
export type SharedCounts = {
  /** Takes one: 0 when there was one, else how long until there is, in milliseconds. Of many at once none is given twice. */
  readonly take: (key: string, allowance: Allowance) => Promise<number>;
  /** Puts one back. */
  readonly giveBack: (key: string, allowance: Allowance) => Promise<void>;
};

/** What is kept of a request in case it is repeated; nothing of it can be read back. Times are milliseconds since the epoch. */
export type KeptRequest = {
  readonly fingerprint: string;
  /** What its ids and tokens are drawn from, with more that is not kept. */
  readonly seed: string;
  readonly begunAt: number;
  readonly expiresAt: number;
  /** The answer as JSON; nothing while it is under way, or when it was cut off. */
  readonly answer?: string;
};

/** Bounds of what one store keeps and one call does. */
export const storeLimits = {
  /** A person's sessions; one more ends the one that was used longest ago. */
  sessionsPerPerson: 50,
  /** Access tokens of one session that are alive at once. */
  accessTokensPerSession: 64,
  /** Generations of used refresh tokens that are remembered, so that a reuse is seen. */
  generationsRemembered: 4_320,
  /** Networks that are known as a person's own; one more takes the place of the one of longest ago. */
  networksPerPerson: 8,
  /** How long a mail that has ended is kept, in milliseconds. */
  mailKeptMs: 30 * 24 * 60 * 60_000,
  /** Rows that one `prune` or one page of `staleReservations` touches. */
  batch: 500,
} as const;

/**
 * Rows in, rows out, no rules. Every adapter passes `describeIdentityStore` in `identity/contract`. What changes more
 * than one row happens wholly or not at all, and is durable before it is answered; where two race, exactly one is told
 * that it won.
 *
 * Errors, all `LodeError`: `unavailable` (the engine can't be reached or is busy; nothing was written), `storage_full`
 * (nothing was written), `storage_failed` (the file is damaged, or the disk failed before) and `unknown_outcome` (the disk or
 * the server had it when it failed: it may have been written).
 */
export interface IdentityStore {
  /** Takes an e-mail, an account number and an id together, or says which of them somebody has. */
  reserve(
    reservation: Reservation,
  ): Promise<'reserved' | 'email_taken' | 'account_number_taken' | 'person_taken'>;
  credentialByEmail(email: string): Promise<CredentialRow | undefined>;
  credentialOf(userId: string): Promise<CredentialRow | undefined>;
  /** Gives a reservation that is still as it was read a new password; keeps its person and account number. */
  takeOver(
    userId: string,
    expectedReservedAt: number,
    next: Pick<Reservation, 'passwordHash' | 'role' | 'reservedAt' | 'owner'>,
  ): Promise<boolean>;
  /**
   * Makes the reservation that was made at `reservedAt` an active credential; true also when it already was. False when
   * there is none, or somebody has taken it over since.
   */
  activate(userId: string, reservedAt: number): Promise<boolean>;
  /** Drops a reservation that is still as it was read, with the person's key. */
  release(userId: string, expectedReservedAt: number): Promise<boolean>;
  /** Replaces the hash that was read by another of the same password. */
  setPassword(userId: string, expectedHash: string, passwordHash: string): Promise<boolean>;
  /**
   * Replaces the hash that was read by that of another password, counts the epoch on and ends the person's sessions, but
   * for `except`. Answers with the ids of those; undefined when the hash was another one by now.
   */
  changePassword(
    userId: string,
    expectedHash: string,
    passwordHash: string,
    except?: string,
  ): Promise<readonly string[] | undefined>;
  /**
   * Gives an active person who still has this e-mail and epoch another e-mail, counts the epoch on and ends the person's
   * sessions, but for `except`. Answers with the ids of those; `taken` when somebody has the e-mail, undefined when the
   * person had another e-mail or epoch by now.
   */
  changeEmail(
    userId: string,
    expected: Pick<CredentialRow, 'email' | 'epoch'>,
    email: string,
    except?: string,
  ): Promise<readonly string[] | 'taken' | undefined>;
  /**
   * Keeps a person out: counts the epoch on and ends all sessions, and answers with their ids. May be repeated: it ends
   * what there is by then. Undefined when there is no such person.
   */
  suspend(userId: string): Promise<readonly string[] | undefined>;
  /** Lets a person in again. False when there is no such person. */
  reinstate(userId: string): Promise<boolean>;
  /**
   * Overwrites e-mail, password, transfer pin, second factor, networks, mails, links and kept requests about the person, and ends all
   * sessions. The account number stays taken. Answers with the ids of the sessions. May be repeated, and must be after an error.
   */
  eraseCredential(userId: string): Promise<readonly string[]>;
  /** Reservations made at or before `before`, by `owner` where it is given, oldest first, at most `storeLimits.batch`. */
  staleReservations(before: number, owner?: string): Promise<readonly CredentialRow[]>;
  /** The people with an active credential of the role admin, suspended ones too: by their ids after `after`, so many at most. */
  admins(after: string, limit: number): Promise<readonly string[]>;

  /** Gives a person a transfer pin that has not been tried yet. */
  putPin(userId: string, hash: string): Promise<void>;
  /** Takes one of the pin's `tries`, before it is known whether the guess is right: two at once never share one. */
  takePinTry(userId: string, tries: number): Promise<PinTry>;
  /** Gives the pin all its tries back, if it is still the one with this hash. */
  restorePinTries(userId: string, hash: string): Promise<void>;
  /** How often the pin was tried in vain; undefined when there is none. */
  pinTriesOf(userId: string): Promise<number | undefined>;

  secondFactorOf(userId: string): Promise<SecondFactorRow | undefined>;
  /**
   * Replaces the second factor that was read, or none, by another, or none; with `ends` it ends the person's sessions, but for
   * `except`. Answers with the ids of those; undefined, and nothing is written, when it has another stamp by now. Nothing is
   * kept of who has no credential.
   */
  changeSecondFactor(
    userId: string,
    expectedStamp: string | undefined,
    next: SecondFactorRow | undefined,
    ends?: SessionsEnd,
  ): Promise<readonly string[] | undefined>;

  /** Digests of the networks that a person has signed in from, the one used last first. */
  networksOf(userId: string): Promise<readonly string[]>;
  /** Makes one of them the one used last. Nothing is kept of who has no credential. */
  putNetwork(userId: string, digest: string): Promise<void>;

  personKey(userId: string): Promise<PersonKey>;
  /** Keeps a key for what is not a registered person, such as a message; false when there is or was one by that id. */
  createPersonKey(id: string, key: Uint8Array): Promise<boolean>;
  /**
   * Overwrites the key so that it can't be read from the storage again, as far as the engine can. True
   * when there was one. May be repeated, and must be after an error: only an answer says that it is gone.
   */
  destroyPersonKey(userId: string, at: number): Promise<boolean>;
  /**
   * Says of keys that are lost for good that they are destroyed: each id that has no key and had none gets the mark of one
   * that is lost. Answers with how many did. May be repeated.
   */
  giveUpPersonKeys(userIds: readonly string[], at: number): Promise<number>;

  /**
   * Opens a session with its first tokens; answers with the ids of sessions that had to end for it. Undefined, and
   * nothing is opened, when the person is suspended or erased, or has another `epoch` than was read.
   */
  openSession(
    session: SessionRow,
    access: TokenRow,
    refreshHash: string,
    epoch?: number,
  ): Promise<readonly string[] | undefined>;
  /** The session of an access token that was given out, also when its time is over. */
  sessionByAccess(
    hash: string,
  ): Promise<{ readonly session: SessionRow; readonly expiresAt: number } | undefined>;
  /**
   * The session of a refresh token, and the generation that the token belongs to. One that a suspension ended is found as
   * such for as long as it lasts, so that its owner can be told, and is over in every other way.
   */
  sessionByRefresh(hash: string): Promise<
    | {
        readonly session: SessionRow;
        readonly generation: number;
        readonly isSuspended: boolean;
      }
    | undefined
  >;
  /**
   * Writes the successors of a refresh token. `conflict`: the session has another generation than expected or is gone;
   * `full`: it has as many live access tokens as it may.
   */
  rotate(rotation: Rotation): Promise<'rotated' | 'conflict' | 'full'>;
  /** Keeps that a person's session was proved `at` this time. True when there is such a session that is not over. */
  proveSession(sessionId: string, userId: string, at: number): Promise<boolean>;
  /** True when there was such a session. */
  endSession(sessionId: string): Promise<boolean>;
  /** Ends all sessions of a person, but for `except`, and answers with their ids. */
  endSessionsOf(userId: string, except?: string): Promise<readonly string[]>;
  /** A person's sessions that are alive at `now`, the one used last first. */
  sessionsOf(userId: string, now: number): Promise<readonly SessionRow[]>;
  /** Deletes what ended before `now` (sessions, tokens, invitations, requests, links, and mails a while later), at most `storeLimits.batch` of each; says how many. */
  prune(now: number): Promise<number>;

  /** Keeps the hash of an invitation's token; the same invitation again replaces its token. */
  putInvitationToken(invitationId: string, token: TokenRow): Promise<void>;
  invitationByToken(
    hash: string,
  ): Promise<{ readonly invitationId: string; readonly expiresAt: number } | undefined>;

  /** Keeps a mail to be sent; false when there is one by its id, which stays as it is. */
  queueMail(
    mail: Omit<MailRow, 'state' | 'attempts' | 'failure'> & { readonly body: string },
  ): Promise<boolean>;
  /** Queued mails that are due at `now`, those first that are due for longest, at most `limit`. */
  dueMails(now: number, limit: number): Promise<readonly MailRow[]>;
  /** Counts an attempt of a queued mail that had so many, and puts it off until `dueAt`; false when somebody else did. */
  beginMail(mailId: string, attempts: number, dueAt: number): Promise<boolean>;
  /** Writes what came of that attempt, which is then the last one begun; what has ended loses its body. */
  endMail(mailId: string, attempts: number, outcome: MailOutcome): Promise<boolean>;
  /** Gives up the queued mails of a kind to a person that were queued before one of them, by `queuedAt` and then `mailId`; says how many. */
  giveUpMailsBefore(
    mail: Pick<MailRow, 'userId' | 'kind' | 'queuedAt' | 'mailId'>,
    outcome: Pick<MailOutcome, 'dueAt' | 'failure'>,
  ): Promise<number>;
  /** All mails, or those to a person, the one queued last first, behind one of them; at most `limit`. */
  mails(
    limit: number,
    behind?: Pick<MailRow, 'queuedAt' | 'mailId'>,
    userId?: string,
  ): Promise<readonly MailRow[]>;

  /** Keeps what a link's token stands for. */
  putLink(link: LinkRow): Promise<void>;
  linkOf(hash: string): Promise<LinkRow | undefined>;
  /** A person's links of a purpose, the one that ends last first. */
  linksOf(userId: string, purpose: string): Promise<readonly LinkRow[]>;
  /** Takes a link away; of two at once exactly one is told true. */
  takeLink(hash: string): Promise<boolean>;

  /**
   * What time it is, in milliseconds since the epoch, by the one clock that programs on the store have in common; undefined where
   * all of them are on one machine, whose clock that is.
   */
  readonly now?: () => Promise<number>;

  /** Where programs that share the store count together what is limited; undefined where there is one program alone. */
  readonly counts?: SharedCounts;

  /** The store's own secret of a name: what was drawn for it first. */
  secret(name: string, drawn: Uint8Array): Promise<Uint8Array>;
  /** A request that is kept until later than `now`. */
  keptRequest(id: string, now: number): Promise<KeptRequest | undefined>;
  /** Keeps a request that begins, unless one is kept by that id: answers with that one. */
  beginRequest(id: string, request: Omit<KeptRequest, 'answer'>): Promise<KeptRequest | undefined>;
  /** Keeps the answer with the request of this `seed`, and whom it is about. */
  answerRequest(
    id: string,
    seed: string,
    outcome: { readonly about: string; readonly answer: string },
  ): Promise<void>;
  /** Lets go of a request of this `seed` that has no answer. */
  forgetRequest(id: string, seed: string): Promise<void>;

  /** Everything that is kept of the ids after `after`, in their order, at most `limit` of them. */
  people(after: string, limit: number): Promise<readonly PersonRecord[]>;
  /**
   * Keeps a record of another store. False, and nothing is written, when something else is kept of that id; the same again
   * changes nothing. Throws `conflict` when somebody else has the e-mail or the account number.
   */
  putPerson(record: PersonRecord): Promise<boolean>;
  /** The tokens of invitations whose ids come after `after`, in the order of these, at most `limit` of them. */
  invitations(
    after: string,
    limit: number,
  ): Promise<readonly (TokenRow & { readonly invitationId: string })[]>;

  /** The keys that secrets in the store are, or may be, sealed with, by their ids. */
  sealKeys(): Promise<readonly SealKey[]>;
  /** Says that secrets may be sealed with this key from now on; one that is said already stays as it is. */
  putSealKey(key: SealKey): Promise<void>;
  /**
   * Says that secrets are sealed with none but these (empty: not at all), and overwrites what they were before, as `destroyPersonKey`. May be
   * repeated, and must be after an error.
   */
  keepSealKeys(ids: readonly string[]): Promise<void>;
  /**
   * Gives those secrets of the ids after `after`, in their order and at most `limit` of them, other values that `renew`
   * gives others to; all of one id together. Its other members stay as they are, and so does all of an id that anything is
   * damaged of.
   */
  renewSecrets(
    after: string,
    limit: number,
    renew: (userId: string, secrets: Secrets) => Secrets,
  ): Promise<RenewedSecrets>;

  /** Whose it is; undefined for a store that is nobody's yet. */
  platform(): Promise<string | undefined>;
  /**
   * Takes a store that is nobody's yet for a platform, for ever. Refuses, with `storage_failed` and both ids, one that is
   * another platform's.
   */
  claim(platformId: string): Promise<void>;

  /**
   * Compares rows with their checksums, at most `limit` behind a place, and gives which are damaged. What a store from before
   * there were checksums has none for gets one.
   */
  checkRows(after: RowsPlace | undefined, limit: number): Promise<RowsChecked>;
  /** Writes what changes nothing, as durably as any change; rejects where no change is taken. */
  tryChange(): Promise<void>;
  /** Has each damaged row that anything met told once, those of before too. One is refused to whoever needs it. */
  watchDamage(hear: (row: DamagedRow) => void): void;
  /** How it stands. A change that was answered is counted by the time the next head is kept. */
  standing(): Promise<IdentityStanding>;
  /** The head that is kept beside it. */
  head(): Promise<KeptHead>;
  /** Keeps a head, durably, if it is further than the one that is kept; with `isAnew` whatever that is. */
  keepHead(head: StoresHead, isAnew?: boolean): Promise<void>;
  /** How many keys were given up as lost. */
  lostPersonKeys(): Promise<number>;

  /** Lets go of the engine. */
  close(): Promise<void>;
}
