import {
  accountNotFound,
  hasCode,
  LodeError,
  plainFailure,
  randomDigits,
  uuidV4,
  type Random,
} from '#kernel';
import type { Sealing } from './key-ring.js';
import { linkInvalid } from './links.js';
import {
  checkPassword,
  unchangedPassword,
  type PasswordOwner,
  type PasswordPolicy,
} from './password-policy.js';
import { asGiven, isGiven, isSamePassword, type Passwords } from './passwords.js';
import { createMemory } from './buckets.js';
import { storeLimits, type CredentialRow, type IdentityStore, type Role } from './port.js';

/** How long the one who reserved an e-mail has to open the account before somebody else may try. Milliseconds. */
export const RESERVATION_MS = 30_000;
/** A reservation older than this was abandoned, whoever made it: no registration takes so long. */
export const ABANDONED_MS = 10 * 60_000;
/** Account numbers that are drawn before giving up; with a million people, one in a hundred draws clashes. */
export const ACCOUNT_NUMBER_TRIES_MAX = 8;
/** Reservations of an e-mail that are let go of before it counts as taken. */
const EMAIL_TRIES_MAX = 3;
const ACCOUNT_NUMBER_PREFIX = '30';
const ACCOUNT_NUMBER_DIGITS = 8;
const PERSON_KEY_BYTES = 32;
/** People of whom is remembered that their password is their own. */
const OWNERS_REMEMBERED_MAX = 100_000;
/** Batches of stale reservations that one sweep resolves. */
const SWEEP_BATCHES_MAX = 1_000;

export type Registration = {
  readonly email: string;
  readonly password: string;
  /** First and last name, which no password of theirs may be. */
  readonly names?: readonly string[] | undefined;
  readonly role: Role;
  /** Somebody else chose the password: whoever signs in with it has to choose another one before anything else. */
  readonly isGiven?: boolean | undefined;
  /** The id that a registration which was cut off had, for whoever has the right to finish it; else a new one. */
  readonly userId?: string | undefined;
};

export type Reserved = {
  readonly userId: string;
  readonly accountNumber: string;
  /** Tells this reservation from one that took it over; milliseconds since the epoch. */
  readonly reservedAt: number;
};

export type Person = {
  readonly userId: string;
  readonly accountNumber: string;
  readonly role: Role;
  /** Hand it to `sessions.start`: a session does not begin on what was true before a new password or a suspension. */
  readonly epoch: number;
};

/** What identity knows of a person who is registered. */
export type Known = Person & { readonly email: string; readonly suspended: boolean };

/** Somebody who may set a new password. */
export type Resettable = Pick<Known, 'userId' | 'email' | 'epoch'>;

/** Another e-mail for somebody who had one when the epoch was this. */
export type EmailChange = {
  readonly userId: string;
  readonly epoch: number;
  readonly from: string;
  readonly to: string;
};

export type Credentials = {
  /**
   * The first step of a registration: takes the e-mail and draws an account number. Then the account is opened in the
   * log, then `activate` is called; a crash between leaves a reservation that resolves itself. Refuses with
   * `email_exists` (also while somebody else finishes the registration of this `userId`), `password_policy`, `overloaded`.
   */
  readonly reserve: (registration: Registration) => Promise<Reserved>;
  /** Refuses what `reserve` would refuse before it hashes: with `email_exists` and `password_policy`. */
  readonly checkRegistration: (
    registration: Pick<Registration, 'email' | 'password' | 'names'>,
  ) => Promise<void>;
  /** Whether this is the person's password; nobody is told how often it was asked. Refuses with `overloaded`. */
  readonly hasPassword: (userId: string, password: string) => Promise<boolean>;
  /**
   * The last step: from here on the person can sign in. May be repeated. Refuses with `account_not_found` when the
   * reservation was taken over by somebody else meanwhile.
   */
  readonly activate: (reserved: Pick<Reserved, 'userId' | 'reservedAt'>) => Promise<void>;
  /** The same for a person whose account is known to be open. */
  readonly finish: (userId: string) => Promise<void>;
  /** Lets go of a reservation whose registration was refused. */
  readonly release: (reserved: Pick<Reserved, 'userId' | 'reservedAt'>) => Promise<void>;
  /**
   * Whose e-mail and password these are. Refuses with `invalid_credentials`, `overloaded`, and, to whoever knows the
   * password, `account_suspended`.
   */
  readonly verifyPassword: (email: string, password: string) => Promise<Person>;
  /**
   * Whether the person still has the password that somebody else gave them: at once when this process knows that they don't.
   * Any password that they set since is their own, for ever.
   */
  readonly hasGivenPassword: (userId: string) => boolean | Promise<boolean>;
  /** Refuses a password that nobody, or not its owner, may choose with `password_policy`. */
  readonly checkPolicy: (password: string, owner?: PasswordOwner) => void;
  /** Asks somebody who is signed in for the password again. Refuses with `invalid_credentials`, `overloaded`. */
  readonly confirmPassword: (userId: string, password: string) => Promise<void>;
  /**
   * Ends the person's sessions too, but for `except`. Refuses with `invalid_credentials` when the old password is wrong,
   * `password_policy` (also when the new one is the old one, or the e-mail), `overloaded`.
   */
  readonly changePassword: (
    userId: string,
    passwords: { readonly old: string; readonly new: string },
    except?: string,
  ) => Promise<void>;
  /** The same for somebody who has shown just now who they are. */
  readonly replacePassword: (userId: string, password: string) => Promise<void>;
  /** Whom a link to set a new password by may be sent to for this e-mail, and as of when. */
  readonly resettable: (email: string) => Promise<Resettable | undefined>;
  /**
   * Sets the password of somebody who had such a link, and ends all sessions. Refuses with `link_invalid` when anything was
   * changed since then that makes links void, as another reset is; with `password_policy`, `overloaded`.
   */
  readonly resetPassword: (userId: string, epoch: number, password: string) => Promise<void>;
  /**
   * Gives a person who had this e-mail and epoch another e-mail, and ends all sessions but for `except`; links of before are void
   * from then on. `changed` also when it was done before; `taken` when somebody has it, `void` when the person has another
   * epoch, as after a new password.
   */
  readonly changeEmail: (change: EmailChange, except?: string) => Promise<'changed' | 'taken' | 'void'>;
  /** Keeps a person out: ends all sessions in the same step, and lets no new one begin. May be repeated. */
  readonly suspend: (userId: string) => Promise<void>;
  /** Lets the person sign in again. May be repeated. */
  readonly reinstate: (userId: string) => Promise<void>;
  /**
   * Forgets a person's e-mail, password and transfer pin and ends all sessions; the account number is never given again.
   * May be repeated.
   */
  readonly erase: (userId: string) => Promise<void>;
  /** Who has this e-mail, also while the registration is under way. */
  readonly knownByEmail: (email: string) => Promise<Known | undefined>;
  readonly known: (userId: string) => Promise<Known | undefined>;
  /**
   * Resolves what crashed registrations left behind: activated when the account is open, else released. Reservations
   * younger than `olderThanMs` may still be under way.
   */
  readonly sweep: (olderThanMs?: number) => Promise<Swept>;
  /**
   * The same for every reservation that is this program's own, of whatever age: for its start, when none of them can be
   * under way any more. Those of other programs on the same store are left alone.
   */
  readonly sweepOwn: () => Promise<Swept>;
  /** False until the first admin can sign in: only then may the command line invite one. */
  readonly hasAdmin: () => Promise<boolean>;
  /** Everybody who signs in as an admin, suspended ones too. Whether they may act as one, the log says. */
  readonly admins: () => Promise<readonly string[]>;
};

/** What a sweep came to. */
export type Swept = { readonly activated: number; readonly released: number };

export type CredentialsParts = {
  readonly store: IdentityStore;
  /** Which of the programs that share the store this is; the same after a restart. */
  readonly owner: string;
  readonly passwords: Passwords;
  /** For those of new people. */
  readonly newPasswords: Passwords;
  readonly sealing: Pick<Sealing, 'sealKey' | 'sealHash' | 'openHash'>;
  readonly policy: PasswordPolicy;
  /** Whether the person's account exists in the log. */
  readonly isOpen: (userId: string) => Promise<boolean>;
  /** Told which sessions the store has ended. */
  readonly onEnded: (sessionIds: readonly string[]) => void;
  /** The clock that all programs on the store go by. */
  readonly sharedClock: () => Promise<number>;
  readonly random: Random;
};

/** E-mails that people would call the same have one text: trimmed, compatibility-normalized, lower-case. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** Who a person is: e-mail, account number, password. */
export function createCredentials(parts: CredentialsParts): Credentials {
  const { store, sharedClock, onEnded } = parts;

  const activate: Credentials['activate'] = async ({ userId, reservedAt }) => {
    if (!(await store.activate(userId, reservedAt))) throw accountNotFound();
  };

  const ended = (sessionIds: readonly string[] | undefined): void => {
    if (sessionIds !== undefined) onEnded(sessionIds);
  };

  const sweep = async (olderThanMs: number, owner?: string): Promise<Swept> => {
    const done = { activated: 0, released: 0, changed: 0 };
    for (let batch = 0; batch < SWEEP_BATCHES_MAX; batch += 1) {
      const rows = await store.staleReservations((await sharedClock()) - olderThanMs, owner);
      for (const row of rows) done[await resolve(parts, row)] += 1;
      if (rows.length < storeLimits.batch) break;
    }
    return { activated: done.activated, released: done.released };
  };

  return {
    reserve: (registration) => reserve(parts, registration),
    checkRegistration: (registration) => checkRegistration(parts, registration),
    activate,
    finish: async (userId) => {
      const row = await store.credentialOf(userId);
      if (row?.state === 'reserved') await activate(row);
    },
    release: async ({ userId, reservedAt }) => {
      await store.release(userId, reservedAt);
    },
    ...passwordPart(parts, activate, ended),
    changeEmail: (change, except) => changeEmail(parts, ended, change, except),
    suspend: async (userId) => ended(await store.suspend(userId)),
    reinstate: async (userId) => {
      await store.reinstate(userId);
    },
    erase: async (userId) => {
      // First and by itself: an erasure that can't be finished yet ends them all the same.
      ended(await store.endSessionsOf(userId));
      ended(await store.eraseCredential(userId));
    },
    resettable: async (email) => {
      const row = await store.credentialByEmail(foldEmail(email));
      return row?.state === 'active' ? knownOf(row) : undefined;
    },
    knownByEmail: async (email) => knownOf(await store.credentialByEmail(foldEmail(email))),
    known: async (userId) => knownOf(await store.credentialOf(userId)),
    sweep: (olderThanMs = RESERVATION_MS) => sweep(olderThanMs),
    sweepOwn: () => sweep(0, parts.owner),
    hasAdmin: async () => (await store.admins('', 1)).length > 0,
    admins: () => allAdmins(store),
  };
}

async function allAdmins(store: Pick<IdentityStore, 'admins'>): Promise<readonly string[]> {
  const all: string[] = [];
  for (;;) {
    const page = await store.admins(all.at(-1) ?? '', storeLimits.batch);
    all.push(...page);
    if (page.length < storeLimits.batch) return all;
  }
}

type PasswordPart = Pick<
  Credentials,
  | 'verifyPassword'
  | 'hasPassword'
  | 'hasGivenPassword'
  | 'checkPolicy'
  | 'confirmPassword'
  | 'changePassword'
  | 'replacePassword'
  | 'resetPassword'
>;

/** What goes by the password. */
function passwordPart(
  { store, passwords, sealing, policy, isOpen }: CredentialsParts,
  activate: Credentials['activate'],
  ended: (sessionIds: readonly string[]) => void,
): PasswordPart {
  /** The row of whoever has the password, as it was when it was compared. */
  const checked = async (row: CredentialRow | undefined, password: string): Promise<CredentialRow> => {
    const hash = row && hashOf(row);
    if (!(await passwords.matches(hash, password)) || row === undefined) throw wrong();
    return row;
  };
  const hashOf = ({ userId, passwordHash }: CredentialRow) =>
    sealing.openHash('password', userId, passwordHash);
  const newHash = async (userId: string, password: string, as = (made: string) => made) =>
    sealing.sealHash('password', userId, as(await passwords.hash(password)));
  // Nobody's own password becomes one that was given: what is remembered is never out of date.
  const owners = createMemory<true>(OWNERS_REMEMBERED_MAX);
  const lookAtGiven = async (userId: string): Promise<boolean> => {
    const row = await store.credentialOf(userId);
    const isTheirs = row !== undefined && !isGiven(hashOf(row));
    if (isTheirs) owners.set(userId, true);
    return row !== undefined && !isTheirs;
  };

  const change = async (row: CredentialRow, password: string, except?: string): Promise<void> => {
    const { userId, passwordHash } = row;
    const sessionIds = await store.changePassword(
      userId,
      passwordHash,
      await newHash(userId, password),
      except,
    );
    if (sessionIds === undefined) throw wrong();
    ended(sessionIds);
  };

  return {
    hasPassword: async (userId, password) => {
      const row = await store.credentialOf(userId);
      return passwords.matches(row && hashOf(row), password);
    },
    verifyPassword: async (email, password) => {
      const row = await checked(await store.credentialByEmail(foldEmail(email)), password);
      if (row.state === 'reserved') {
        // The account was opened and the last step was lost: the person is who they say.
        if (!(await isOpen(row.userId))) throw wrong();
        await activate(row);
      }
      if (row.suspended) throw suspended();
      const before = hashOf(row);
      if (passwords.isOutdated(before)) {
        const renewed = await newHash(row.userId, password, isGiven(before) ? asGiven : undefined);
        await store.setPassword(row.userId, row.passwordHash, renewed);
      }
      return personOf(row);
    },
    hasGivenPassword: (userId) => !owners.has(userId) && lookAtGiven(userId),
    checkPolicy: (password, owner) => checkPassword(policy, password, owner),
    confirmPassword: async (userId, password) => {
      await checked(await store.credentialOf(userId), password);
    },
    changePassword: async (userId, { old, new: next }, except) => {
      const row = await store.credentialOf(userId);
      checkPassword(policy, next, row);
      if (isSamePassword(old, next)) throw unchangedPassword();
      await change(await checked(row, old), next, except);
    },
    ...replacingPart({ store, passwords, policy, hashOf, change }),
  };
}

/** What gives a new password to somebody whose old one is not asked for. */
function replacingPart({
  store,
  passwords,
  policy,
  hashOf,
  change,
}: Pick<CredentialsParts, 'store' | 'passwords' | 'policy'> & {
  readonly hashOf: (row: CredentialRow) => string;
  readonly change: (row: CredentialRow, password: string) => Promise<void>;
}): Pick<Credentials, 'replacePassword' | 'resetPassword'> {
  const replace = async (row: CredentialRow, password: string): Promise<void> => {
    if (await passwords.matches(hashOf(row), password)) throw unchangedPassword();
    await change(row, password);
  };
  return {
    replacePassword: async (userId, password) => {
      const row = await store.credentialOf(userId);
      checkPassword(policy, password, row);
      if (row === undefined) throw accountNotFound();
      await replace(row, password);
    },
    resetPassword: async (userId, epoch, password) => {
      const row = await store.credentialOf(userId);
      if (row?.state !== 'active' || row.epoch !== epoch) throw linkInvalid();
      checkPassword(policy, password, row);
      try {
        await replace(row, password);
      } catch (error) {
        // Another one was set since it was read.
        throw hasCode(error, 'invalid_credentials') ? linkInvalid() : error;
      }
    },
  };
}

/** What becomes of a reservation whose registration was cut off. */
async function resolve(
  { store, isOpen }: CredentialsParts,
  { userId, reservedAt }: CredentialRow,
): Promise<'activated' | 'released' | 'changed'> {
  if (await isOpen(userId)) return (await store.activate(userId, reservedAt)) ? 'activated' : 'changed';
  return (await store.release(userId, reservedAt)) ? 'released' : 'changed';
}

/** An e-mail that nobody can get costs no hash. */
async function checkRegistration(
  parts: CredentialsParts,
  { email, password, names }: Pick<Registration, 'email' | 'password' | 'names'>,
): Promise<void> {
  checkPassword(parts.policy, password, { email, names });
  const registered = await parts.store.credentialByEmail(foldEmail(email));
  if (registered !== undefined && !(await isStale(parts, registered))) throw exists();
}

async function reserve(parts: CredentialsParts, registration: Registration): Promise<Reserved> {
  const { store, owner, newPasswords, sealing, sharedClock, random } = parts;
  const { role } = registration;
  const email = foldEmail(registration.email);
  await checkRegistration(parts, registration);
  const made = await newPasswords.hash(registration.password);
  const hash = registration.isGiven === true ? asGiven(made) : made;
  const sealedFor = (id: string) => sealing.sealHash('password', id, hash);
  const userId = registration.userId ?? uuidV4(random);
  const passwordHash = sealedFor(userId);
  const personKey = sealing.sealKey(userId, random(PERSON_KEY_BYTES));
  for (let tries = 0; tries < ACCOUNT_NUMBER_TRIES_MAX; tries += 1) {
    const accountNumber = ACCOUNT_NUMBER_PREFIX + randomDigits(random, ACCOUNT_NUMBER_DIGITS);
    const reservedAt = await sharedClock();
    const outcome = await store.reserve({
      userId,
      email,
      accountNumber,
      passwordHash,
      role,
      reservedAt,
      owner,
      personKey,
    });
    if (outcome === 'reserved') return { userId, accountNumber, reservedAt };
    if (outcome === 'account_number_taken') continue;
    const holder =
      outcome === 'email_taken' ? await store.credentialByEmail(email) : await store.credentialOf(userId);
    // Whoever had it has just let go of it: one more try, within the same bound.
    if (holder === undefined) continue;
    const isSame = holder.role === role && holder.email === email;
    const isOwn = isSame && (registration.userId ?? holder.userId) === holder.userId;
    const taken = await takeOver(
      parts,
      holder,
      isOwn ? { passwordHash: sealedFor(holder.userId), role, reservedAt, owner } : undefined,
    );
    if (taken) return { userId: holder.userId, accountNumber: holder.accountNumber, reservedAt };
  }
  throw plainFailure('unavailable', 'No free account number was found. Please try again.');
}

/**
 * Takes over a reservation that was not finished in time: `next` keeps its person and account number. Without `next`
 * the person can't be kept, and the reservation is let go of. Says whether it was taken over. Refuses while the one who
 * made it may still finish.
 */
async function takeOver(
  parts: CredentialsParts,
  holder: CredentialRow,
  next: Parameters<IdentityStore['takeOver']>[2] | undefined,
): Promise<boolean> {
  const { store, isOpen } = parts;
  if (!(await isStale(parts, holder))) throw exists();
  if (await isOpen(holder.userId)) {
    await store.activate(holder.userId, holder.reservedAt);
    throw exists();
  }
  const won =
    next === undefined
      ? await store.release(holder.userId, holder.reservedAt)
      : await store.takeOver(holder.userId, holder.reservedAt, next);
  if (!won) throw exists();
  return next !== undefined;
}

async function changeEmail(
  parts: CredentialsParts,
  ended: (sessionIds: readonly string[]) => void,
  { userId, epoch, from, to }: EmailChange,
  except: string | undefined,
): Promise<'changed' | 'taken' | 'void'> {
  const { store } = parts;
  const email = foldEmail(to);
  const isDone = async () => (await store.credentialOf(userId))?.email === email;
  if (await isDone()) return 'changed';
  for (let tries = 0; tries < EMAIL_TRIES_MAX; tries += 1) {
    const outcome = await store.changeEmail(userId, { email: foldEmail(from), epoch }, email, except);
    // Somebody else may have just carried out the same change.
    if (outcome === undefined) return (await isDone()) ? 'changed' : 'void';
    if (outcome !== 'taken') {
      ended(outcome);
      return 'changed';
    }
    const holder = await store.credentialByEmail(email);
    // A registration that nobody finished has it no longer once it is let go of.
    if (holder !== undefined && !(await isLetGo(parts, holder))) return 'taken';
  }
  return 'taken';
}

/** Lets go of a reservation that was not finished in time; false of an e-mail that is somebody's. */
async function isLetGo(parts: CredentialsParts, holder: CredentialRow): Promise<boolean> {
  try {
    await takeOver(parts, holder, undefined);
    return true;
  } catch (error) {
    if (hasCode(error, 'email_exists')) return false;
    throw error;
  }
}

/** Whether whoever reserved an e-mail has had the time to open the account, whichever machine they are on. */
async function isStale(
  { sharedClock }: CredentialsParts,
  { state, reservedAt }: CredentialRow,
): Promise<boolean> {
  return state === 'reserved' && (await sharedClock()) - reservedAt >= RESERVATION_MS;
}

function personOf({ userId, accountNumber, role, epoch }: CredentialRow): Person {
  return { userId, accountNumber, role, epoch };
}

function knownOf(row: CredentialRow | undefined): Known | undefined {
  return row === undefined ? undefined : { ...personOf(row), email: row.email, suspended: row.suspended };
}

function exists(): LodeError {
  return new LodeError('email_exists', 'User already exists');
}

function wrong(): LodeError {
  return new LodeError('invalid_credentials', 'Wrong e-mail or password.');
}

/** The refusal of a person who is kept out. */
export function suspended(): LodeError {
  return new LodeError('account_suspended', 'Account suspended. Please contact admin.');
}
