import { storeLimits, type IdentityStore, type Reservation } from '#identity';
import {
  afterWrite,
  change,
  isWhole,
  read,
  removeAll,
  text,
  tidy,
  type Answer,
  type Decision,
} from '#mongodb';
import { forgetMailsOf } from './mail.js';
import {
  erased,
  nextEra,
  PEOPLE,
  present,
  rowOf,
  withCredential,
  type People,
  type Person,
} from './people.js';
import { forgetRequestsAbout } from './requests.js';
import { endedBy, endSessions, keptOf, overOf, type Sessions } from './sessions.js';

type Part = Pick<
  IdentityStore,
  | 'reserve'
  | 'credentialByEmail'
  | 'credentialOf'
  | 'takeOver'
  | 'activate'
  | 'release'
  | 'setPassword'
  | 'changePassword'
  | 'changeEmail'
  | 'suspend'
  | 'reinstate'
  | 'eraseCredential'
  | 'staleReservations'
  | 'admins'
>;

type Reservations = Pick<Part, 'reserve' | 'takeOver' | 'activate' | 'release' | 'staleReservations'>;
type Reads = Pick<Part, 'credentialByEmail' | 'credentialOf' | 'admins'>;

/** The store's operations on credentials. */
export function credentialsPart(people: People, sessions: Sessions): Part {
  return { ...reads(people), ...reservations(people), ...changes(people, sessions) };
}

function reads(people: People): Reads {
  const { connection } = people;
  return {
    credentialByEmail: async (email) => {
      const [stored] = await connection.find(PEOPLE, { 'credential.email': email }, { limit: 1 });
      return stored && rowOf(people, stored);
    },

    credentialOf: async (userId) => {
      const credential = present(await read(people, userId));
      return credential && { userId, ...credential };
    },

    admins: async (after, limit) => {
      const filter = { 'credential.role': 'admin', 'credential.state': 'active', _id: { $gt: after } };
      const byId = { limit, sort: { _id: 1 }, projection: { _id: 1 } } as const;
      return (await connection.find(PEOPLE, filter, byId)).map((stored) => text(stored, '_id'));
    },
  };
}

/** Credentials that nobody can sign in with yet. */
function reservations(people: People): Reservations {
  return {
    reserve: (reservation) => reserve(people, reservation),

    takeOver: (userId, expectedReservedAt, { passwordHash, role, reservedAt, owner }) =>
      change(people, userId, (person) =>
        isReserved(person, expectedReservedAt)
          ? written(withCredential(person, { passwordHash, role, reservedAt, owner }))
          : refused,
      ),

    activate: (userId, reservedAt) =>
      change(people, userId, (person) => {
        const credential = present(person);
        if (person === undefined || credential?.reservedAt !== reservedAt) return refused;
        if (credential.state === 'active') return { result: true };
        return written(withCredential(person, { state: 'active' }));
      }),

    release: async (userId, expectedReservedAt) => {
      const released = await change(people, userId, (person) => {
        if (!isReserved(person, expectedReservedAt)) return refused;
        const { credential: _, key: __, ...left } = person;
        return written(left);
      });
      if (released) await tidy(() => removeAll(people, { _id: userId, ...nothingLeft }));
      return released;
    },

    staleReservations: async (before, owner) => {
      const filter = {
        'credential.state': 'reserved',
        'credential.reservedAt': { $lte: before },
        ...(owner === undefined ? {} : { 'credential.owner': owner }),
      };
      const oldest = { sort: { 'credential.reservedAt': 1 }, limit: storeLimits.batch } as const;
      const found = await people.connection.find(PEOPLE, filter, oldest);
      // A damaged one stays, and the others don't wait for it.
      const whole = found.filter((stored) => !isDamaged(people, stored));
      return whole.map((stored) => rowOf(people, stored)).filter((row) => row !== undefined);
    },
  };
}

/** What ends sessions moves the era on in the same write; that their documents are deleted after it is cleaning up. */
function changes(people: People, sessions: Sessions): Omit<Part, keyof Reservations | keyof Reads> {
  return {
    setPassword: (userId, expectedHash, passwordHash) =>
      change(people, userId, (person) =>
        hasHash(person, expectedHash) ? written(withCredential(person, { passwordHash })) : refused,
      ),

    changePassword: async (userId, expectedHash, passwordHash, except) => {
      const changed = await change<Person, Person | undefined>(people, userId, async (person) => {
        const credential = present(person);
        if (person === undefined || credential?.passwordHash !== expectedHash) return { result: undefined };
        const epoch = credential.epoch + 1;
        const kept = await keptOf(sessions, person, userId, except);
        const next = nextEra(withCredential(person, { passwordHash, epoch }), kept);
        return { next, result: next };
      });
      return changed && endedBy(sessions, userId, changed);
    },

    changeEmail: (...asked) => changeEmail(people, sessions, ...asked),

    suspend: async (userId) => {
      const changed = await change<Person, Person | undefined>(people, userId, (person) => {
        const credential = present(person);
        if (person === undefined || credential === undefined) return { result: undefined };
        // Counted once: the epoch stands still while the person is suspended, and no session begins.
        if (credential.suspended) return { result: person };
        const epoch = credential.epoch + 1;
        const next = nextEra(withCredential(person, { suspended: true, epoch }));
        return { next, result: next };
      });
      // They are over, and stay there until the suspension is: their refresh tokens lead to it.
      return changed && afterWrite(() => overOf(sessions, userId, changed));
    },

    reinstate: async (userId) => {
      const changed = await change<Person, Person | undefined>(people, userId, (person) => {
        const credential = present(person);
        if (person === undefined || credential === undefined) return { result: undefined };
        const next = withCredential(person, { suspended: false });
        return credential.suspended ? { next, result: next } : { result: person };
      });
      if (changed !== undefined) await endedBy(sessions, userId, changed);
      return changed !== undefined;
    },

    eraseCredential: async (userId) => {
      const changed = await change<Person, Person | undefined>(people, userId, (person) => {
        const isOver =
          person?.credential?.state === 'erased' &&
          person.pin === undefined &&
          person.secondFactor === undefined &&
          person.networks === undefined;
        if (person === undefined || isOver) return { result: person };
        const { pin: _, networks: __, secondFactor: ___, credential, ...left } = person;
        const next = nextEra({ ...left, ...(credential && { credential: erased(credential) }) });
        return { next, result: next };
      });
      await afterWrite(() => forgetRequestsAbout(people.connection, userId));
      await afterWrite(() => forgetMailsOf(people.connection, userId));
      return changed === undefined
        ? endSessions(people, sessions, userId)
        : endedBy(sessions, userId, changed);
    },
  };
}

/** The unique index of e-mails decides of two people who are to have the same one. */
async function changeEmail(
  people: People,
  sessions: Sessions,
  ...[userId, expected, email, except]: Parameters<IdentityStore['changeEmail']>
): ReturnType<IdentityStore['changeEmail']> {
  const changed = await change<Person, Person | 'taken' | undefined>(
    people,
    userId,
    async (person) => {
      const credential = present(person);
      const isAsRead =
        credential?.state === 'active' &&
        credential.email === expected.email &&
        credential.epoch === expected.epoch;
      if (person === undefined || !isAsRead) return { result: undefined };
      const kept = await keptOf(sessions, person, userId, except);
      const next = nextEra(withCredential(person, { email, epoch: expected.epoch + 1 }), kept);
      return { next, result: next };
    },
    () => 'taken',
  );
  return typeof changed === 'object' ? endedBy(sessions, userId, changed) : changed;
}

/** A document that says nothing: as none at all. */
const nothingLeft = {
  era: 0,
  credential: { $exists: false },
  key: { $exists: false },
  destroyedAt: { $exists: false },
  pin: { $exists: false },
};

function isDamaged({ damaged }: People, stored: Answer): boolean {
  if (isWhole(stored)) return false;
  damaged?.(text(stored, '_id'));
  return true;
}

const refused = { result: false } as const;

function written(next: Person): Decision<Person, boolean> {
  return { next, result: true };
}

function isReserved(person: Person | undefined, reservedAt: number): person is Person {
  const credential = present(person);
  return credential?.state === 'reserved' && credential.reservedAt === reservedAt;
}

function hasHash(person: Person | undefined, hash: string): person is Person {
  return present(person)?.passwordHash === hash;
}

/** Takes the id, the e-mail and the account number in the one write that makes the document. */
function reserve(people: People, row: Reservation): ReturnType<IdentityStore['reserve']> {
  const { userId, personKey, ...others } = row;
  const credential = { ...others, state: 'reserved', suspended: false, epoch: 0 } as const;
  const key = Buffer.from(personKey).toString('base64');
  return change<Person, Awaited<ReturnType<IdentityStore['reserve']>>>(
    people,
    userId,
    (person = { era: 0 }) => {
      const isTaken =
        person.credential !== undefined || person.key !== undefined || person.destroyedAt !== undefined;
      return isTaken
        ? { result: 'person_taken' }
        : { next: { ...person, credential, key }, result: 'reserved' };
    },
    (member) => (member === 'credential.email' ? 'email_taken' : 'account_number_taken'),
  );
}
