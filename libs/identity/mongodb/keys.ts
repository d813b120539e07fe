import { storeLimits, type IdentityStore, type PersonKey } from '#identity';
import { change, read } from '#mongodb';
import { nextEra, present, type People, type Person } from './people.js';
import { endedBy, keptOf, type Sessions } from './sessions.js';

type Keys = Pick<IdentityStore, 'personKey' | 'createPersonKey' | 'destroyPersonKey' | 'giveUpPersonKeys'>;
type Pins = Pick<IdentityStore, 'putPin' | 'takePinTry' | 'restorePinTries' | 'pinTriesOf'>;

/** The key that a stored document has. */
export function keyOf({ key, destroyedAt }: Person): PersonKey {
  if (key !== undefined) return { kind: 'key', key: Uint8Array.from(Buffer.from(key, 'base64')) };
  return { kind: destroyedAt === undefined ? 'unknown' : 'destroyed' };
}

/** The store's operations on person keys. */
export function keysPart(people: People): Keys {
  return {
    personKey: async (userId) => {
      const person = await read(people, userId);
      return person === undefined ? { kind: 'unknown' } : keyOf(person);
    },

    createPersonKey: (id, key) =>
      change(people, id, (person = { era: 0 }) =>
        person.key === undefined && person.destroyedAt === undefined
          ? { next: { ...person, key: Buffer.from(key).toString('base64') }, result: true }
          : { result: false },
      ),

    // The server overwrites nothing at once: its bytes stay in the oplog and on the disk for a while.
    destroyPersonKey: (userId, at) =>
      change<Person, boolean>(people, userId, (person) => {
        if (person?.key === undefined) return { result: false };
        const { key: _, ...left } = person;
        return { next: { ...left, destroyedAt: at }, result: true };
      }),

    giveUpPersonKeys: async (userIds, at) => {
      let marked = 0;
      for (const userId of userIds)
        marked += await change<Person, number>(people, userId, (person = { era: 0 }) =>
          person.key === undefined && person.destroyedAt === undefined
            ? { next: { ...person, destroyedAt: at, isLost: true }, result: 1 }
            : { result: 0 },
        );
      return marked;
    },
  };
}

/** The store's operations on the networks of people. */
export function networksPart(people: People): Pick<IdentityStore, 'networksOf' | 'putNetwork'> {
  return {
    networksOf: async (userId) => (await read(people, userId))?.networks ?? [],

    putNetwork: (userId, digest) =>
      change(people, userId, (person) => {
        if (person === undefined || present(person) === undefined) return { result: undefined };
        const others = (person.networks ?? []).filter((one) => one !== digest);
        const networks = [digest, ...others].slice(0, storeLimits.networksPerPerson);
        return { next: { ...person, networks }, result: undefined };
      }),
  };
}

/** The store's operations on transfer pins. */
export function pinsPart(people: People): Pins {
  return {
    putPin: (userId, hash) =>
      change(people, userId, (person = { era: 0 }) => ({
        next: { ...person, pin: { hash, tries: 0 } },
        result: undefined,
      })),

    takePinTry: (userId, tries) =>
      change<Person, Awaited<ReturnType<Pins['takePinTry']>>>(people, userId, (person) => {
        if (person?.pin === undefined) return { result: { kind: 'missing' } };
        const { hash, tries: before } = person.pin;
        if (before >= tries) return { result: { kind: 'locked' } };
        const taken = before + 1;
        return {
          next: { ...person, pin: { hash, tries: taken } },
          result: { kind: 'taken', hash, triesLeft: tries - taken },
        };
      }),

    restorePinTries: (userId, hash) =>
      change(people, userId, (person) =>
        person?.pin?.hash === hash && person.pin.tries > 0
          ? { next: { ...person, pin: { hash, tries: 0 } }, result: undefined }
          : { result: undefined },
      ),

    pinTriesOf: async (userId) => (await read(people, userId))?.pin?.tries,
  };
}

/** The store's operations on second factors. */
export function secondFactorsPart(
  people: People,
  sessions: Sessions,
): Pick<IdentityStore, 'secondFactorOf' | 'changeSecondFactor'> {
  return {
    secondFactorOf: async (userId) => (await read(people, userId))?.secondFactor,

    // What ends sessions moves the era on in the same write, as a new password does.
    changeSecondFactor: async (userId, expectedStamp, next, ends) => {
      const changed = await change<Person, Person | undefined>(people, userId, async (person) => {
        if (person === undefined || present(person) === undefined) return { result: undefined };
        const { secondFactor, ...others } = person;
        if (secondFactor?.stamp !== expectedStamp) return { result: undefined };
        if (secondFactor === undefined && next === undefined) return { result: undefined };
        const given: Person = { ...others, ...(next && { secondFactor: next }) };
        const result = ends ? nextEra(given, await keptOf(sessions, person, userId, ends.except)) : given;
        return { next: result, result };
      });
      if (changed === undefined) return undefined;
      return ends === undefined ? [] : endedBy(sessions, userId, changed);
    },
  };
}
