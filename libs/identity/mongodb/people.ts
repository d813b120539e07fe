import {
  createDamagedRows,
  type CredentialRow,
  type DamagedRows,
  type KeptCredential as Credential,
  type SecondFactorRow,
} from '#identity';
import {
  integer,
  membersOf,
  text,
  valueOf,
  type Answer,
  type Documents,
  type MongoConnection,
} from '#mongodb';
import { role } from './members.js';

export const PEOPLE = 'identity.people';

/**
 * All that is kept of one id, in one document: whatever changes of it together is one write. Any member may be missing:
 * a key can be that of a message.
 */
export type Person = {
  readonly credential?: Credential;
  /** Base64. */
  readonly key?: string;
  /** That there was a key, for ever: an id without either was never known here. */
  readonly destroyedAt?: number;
  /** It was given up as lost, and not destroyed by an erasure. */
  readonly isLost?: true;
  readonly pin?: { readonly hash: string; readonly tries: number };
  readonly secondFactor?: SecondFactorRow;
  /** Digests of the networks that they have signed in from, the one used last first. */
  readonly networks?: readonly string[];
  /** How often all sessions were ended. A session of an earlier era is over, but for the one that was kept. */
  readonly era: number;
  readonly kept?: string;
};

export type People = Documents<Person>;

export function peopleIn(connection: MongoConnection, rows: DamagedRows = createDamagedRows()): People {
  const damaged = (id: string) => rows.refuse({ table: PEOPLE, id });
  return { connection, collection: PEOPLE, from: personFrom, damaged };
}

function personFrom(stored: Answer): Person {
  const pin = membersOf(stored['pin']);
  return {
    ...('credential' in stored ? { credential: credentialFrom(membersOf(stored['credential'])) } : {}),
    ...('key' in stored ? { key: text(stored, 'key') } : {}),
    ...('destroyedAt' in stored ? { destroyedAt: integer(stored, 'destroyedAt') } : {}),
    ...(stored['isLost'] === true ? { isLost: true } : {}),
    ...('pin' in stored ? { pin: { hash: text(pin, 'hash'), tries: integer(pin, 'tries') } } : {}),
    ...('secondFactor' in stored
      ? { secondFactor: secondFactorFrom(membersOf(stored['secondFactor'])) }
      : {}),
    ...('networks' in stored ? { networks: textsIn(stored['networks']) } : {}),
    era: integer(stored, 'era'),
    ...('kept' in stored ? { kept: text(stored, 'kept') } : {}),
  };
}

function secondFactorFrom(stored: Answer): SecondFactorRow {
  return { isOn: stored['isOn'] === true, sealed: text(stored, 'sealed'), stamp: text(stored, 'stamp') };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function credentialFrom(stored: Answer): Credential {
  const common = {
    accountNumber: text(stored, 'accountNumber'),
    role: role(stored),
    reservedAt: integer(stored, 'reservedAt'),
    owner: text(stored, 'owner'),
    suspended: stored['suspended'] === true,
    epoch: integer(stored, 'epoch'),
  };
  const state = text(stored, 'state');
  if (state === 'erased') return { ...common, state };
  return {
    ...common,
    email: text(stored, 'email'),
    passwordHash: text(stored, 'passwordHash'),
    state: state === 'active' ? 'active' : 'reserved',
  };
}

/** What is left of a credential for ever. */
export function erased(credential: Credential): Credential {
  const { accountNumber, role: as, reservedAt, owner, suspended, epoch } = credential;
  return { accountNumber, role: as, reservedAt, owner, suspended, epoch, state: 'erased' };
}

/** The credential of somebody who is not erased. */
export function present(person: Person | undefined): Omit<CredentialRow, 'userId'> | undefined {
  const credential = person?.credential;
  return credential === undefined || credential.state === 'erased' ? undefined : credential;
}

export function rowOf(people: People, stored: Answer): CredentialRow | undefined {
  const credential = present(valueOf(people, stored));
  return credential && { userId: text(stored, '_id'), ...credential };
}

/** The person with the members of a credential changed. */
export function withCredential(person: Person, changes: Partial<Omit<CredentialRow, 'userId'>>): Person {
  const credential = present(person);
  return credential === undefined ? person : { ...person, credential: { ...credential, ...changes } };
}

/** The person with all sessions ended, but for the one that is kept. */
export function nextEra(person: Person | undefined, kept?: string): Person {
  const { kept: _, ...others } = person ?? { era: 0 };
  return { ...others, era: others.era + 1, ...(kept === undefined ? {} : { kept }) };
}
