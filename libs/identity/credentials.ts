import { LodeError, randomDigits, type Clock, type Random } from '#kernel';
import { uuidV4 } from './ids.js';
import type { Passwords } from './passwords.js';
import { storeLimits, type CredentialRow, type IdentityStore, type Role } from './port.js';

/** How long the one who reserved an e-mail has to open the account before somebody else may try. Milliseconds. */
export const RESERVATION_MS = 30_000;
/** Account numbers that are drawn before giving up; with a million people, one in a hundred draws clashes. */
export const ACCOUNT_NUMBER_TRIES_MAX = 8;
const ACCOUNT_NUMBER_PREFIX = '30';
const ACCOUNT_NUMBER_DIGITS = 8;
const PERSON_KEY_BYTES = 32;
/** Batches of stale reservations that one sweep resolves. */
const SWEEP_BATCHES_MAX = 1_000;

export type Registration = { readonly email: string; readonly password: string; readonly role: Role };

export type Reserved = { readonly userId: string; readonly accountNumber: string };

export type Person = {
  readonly userId: string;
  readonly accountNumber: string;
  readonly role: Role;
};

export type Credentials = {
  /**
   * The first step of a registration: takes the e-mail and draws an account number. Then the account is opened in the
   * log, then `activate` is called; a crash between leaves a reservation that resolves itself. Refuses with
   * `email_exists`, `overloaded`.
   */
  readonly reserve: (registration: Registration) => Promise<Reserved>;
  /** The last step: from here on the person can sign in. May be repeated. Refuses with `account_not_found`. */
  readonly activate: (userId: string) => Promise<void>;
  /** Whose e-mail and password these are. Refuses with `invalid_credentials`, `overloaded`. */
  readonly verifyPassword: (email: string, password: string) => Promise<Person>;
  /** Refuses with `invalid_credentials` when the old password is wrong. The caller ends the other sessions. */
  readonly changePassword: (userId: string, oldPassword: string, newPassword: string) => Promise<void>;
  /** Forgets a person's e-mail and password; the account number is never given again. May be repeated. */
  readonly erase: (userId: string) => Promise<void>;
  /**
   * Resolves what crashed registrations left behind: activated when the account is open, else released. Reservations
   * younger than `olderThanMs` may still be under way; a program that has just started knows that none is.
   */
  readonly sweep: (
    olderThanMs?: number,
  ) => Promise<{ readonly activated: number; readonly released: number }>;
  /** False until the first admin can sign in: only then may the command line invite one. */
  readonly hasAdmin: () => Promise<boolean>;
};

export type CredentialsParts = {
  readonly store: IdentityStore;
  readonly passwords: Passwords;
  /** Whether the person's account exists in the log. */
  readonly isOpen: (userId: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly random: Random;
};

/** E-mails that people would call the same have one text: trimmed, compatibility-normalized, lower-case. */
export function foldEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** Who a person is: e-mail, account number, password. */
export function createCredentials(parts: CredentialsParts): Credentials {
  const { store, passwords, isOpen, clock } = parts;
  const stale = (row: CredentialRow) =>
    row.state === 'reserved' && clock() - row.reservedAt >= RESERVATION_MS;

  const activate = async (userId: string): Promise<void> => {
    if (!(await store.activate(userId))) throw new LodeError('account_not_found', 'User not found');
  };

  const verifyPassword = async (email: string, password: string): Promise<Person> => {
    const row = await store.credentialByEmail(foldEmail(email));
    if (!(await passwords.matches(row?.passwordHash, password)) || row === undefined) throw wrong();
    if (row.state === 'reserved') {
      // The account was opened and the last step was lost: the person is who they say.
      if (!(await isOpen(row.userId))) throw wrong();
      await activate(row.userId);
    }
    if (passwords.isOutdated(row.passwordHash))
      await store.setPassword(row.userId, row.passwordHash, await passwords.hash(password));
    return { userId: row.userId, accountNumber: row.accountNumber, role: row.role };
  };

  const changePassword = async (userId: string, oldPassword: string, newPassword: string): Promise<void> => {
    const row = await store.credentialOf(userId);
    if (!(await passwords.matches(row?.passwordHash, oldPassword)) || row === undefined) throw wrong();
    const next = await passwords.hash(newPassword);
    if (!(await store.setPassword(userId, row.passwordHash, next))) throw wrong();
  };

  const resolve = async (row: CredentialRow): Promise<'activated' | 'released' | 'changed'> => {
    if (await isOpen(row.userId)) return (await store.activate(row.userId)) ? 'activated' : 'changed';
    return (await store.release(row.userId, row.reservedAt)) ? 'released' : 'changed';
  };

  const sweep = async (olderThanMs = RESERVATION_MS) => {
    const done = { activated: 0, released: 0, changed: 0 };
    for (let batch = 0; batch < SWEEP_BATCHES_MAX; batch += 1) {
      const rows = await store.staleReservations(clock() - olderThanMs);
      for (const row of rows) done[await resolve(row)] += 1;
      if (rows.length < storeLimits.batch) break;
    }
    return { activated: done.activated, released: done.released };
  };

  return {
    reserve: (registration) => reserve(parts, stale, registration),
    activate,
    verifyPassword,
    changePassword,
    erase: async (userId) => {
      await store.eraseCredential(userId);
    },
    sweep,
    hasAdmin: () => store.hasAdmin(),
  };
}

async function reserve(
  parts: CredentialsParts,
  stale: (row: CredentialRow) => boolean,
  registration: Registration,
): Promise<Reserved> {
  const { store, passwords, isOpen, clock, random } = parts;
  const { role } = registration;
  const email = foldEmail(registration.email);
  const passwordHash = await passwords.hash(registration.password);
  const userId = uuidV4(random);
  const personKey = random(PERSON_KEY_BYTES);
  for (let tries = 0; tries < ACCOUNT_NUMBER_TRIES_MAX; tries += 1) {
    const accountNumber = ACCOUNT_NUMBER_PREFIX + randomDigits(random, ACCOUNT_NUMBER_DIGITS);
    const outcome = await store.reserve({
      userId,
      email,
      accountNumber,
      passwordHash,
      role,
      reservedAt: clock(),
      personKey,
    });
    if (outcome === 'reserved') return { userId, accountNumber };
    if (outcome === 'account_number_taken') continue;
    const holder = await store.credentialByEmail(email);
    // Whoever had it has just let go of it: one more try, within the same bound.
    if (holder === undefined) continue;
    if (!stale(holder)) throw exists();
    if (await isOpen(holder.userId)) {
      await store.activate(holder.userId);
      throw exists();
    }
    const next = { passwordHash, role, reservedAt: clock() };
    if (!(await store.takeOver(holder.userId, holder.reservedAt, next))) throw exists();
    return { userId: holder.userId, accountNumber: holder.accountNumber };
  }
  throw new LodeError('unavailable', 'No free account number was found. Please try again.');
}

function exists(): LodeError {
  return new LodeError('email_exists', 'User already exists');
}

function wrong(): LodeError {
  return new LodeError('invalid_credentials', 'Wrong e-mail or password.');
}
