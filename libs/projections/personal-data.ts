import { invariant, isLodeError, LodeError, UnknownEvent, type RecordedEvent } from '#kernel';
import { accountStream, decodeEvent, isEventType, isLedgerStream, type AccountEvent } from '#ledger';
import type { OpenedEvent } from './read-model.js';

/** What `AccountOpened` and `ProfileChanged` hold encrypted. */
export type Profile = {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly phone: string;
  /** How the person wants things shown; not there while nothing was chosen. */
  readonly preferences?: Preferences;
  /** Up to which position the person has read the notifications; not there while none were. */
  readonly notificationsRead?: string;
};

type Preferences = Readonly<Partial<Record<(typeof preferenceNames)[number], string>>>;

/** Members of a profile that say how things are shown. */
const preferenceNames = ['language', 'theme', 'timeZone'] as const;

/** Opens what was encrypted with a person's key; `forgotten` when that key was destroyed. Given from outside. */
export type Decrypt = (
  userId: string,
  encrypted: string,
) => object | 'forgotten' | Promise<object | 'forgotten'>;

/**
 * From the event that the log has to the one that read models see, the only place where one becomes the other: decoded,
 * with profiles in clear. Events in streams that no aggregate has are given as they are. Throws `UnknownEvent` for a type or
 * version that only a newer program knows.
 */
export type OpenEvent = (stored: RecordedEvent) => OpenedEvent | Promise<OpenedEvent>;

/** How the events of the log are opened, a page at a time. */
export type Opening = {
  readonly open: OpenEvent;
  /** Told of each page before `open` is given its events. What it throws is an engine's failure: the page is tried again. */
  readonly prepare?: (events: readonly RecordedEvent[]) => Promise<void>;
};

/** Whoever has the people's keys: asked for those of a page first, then event by event without waiting. */
export type KeysOfPage = {
  readonly load: (userIds: readonly string[]) => Promise<void>;
  readonly decrypt: (userId: string, encrypted: string) => object | 'forgotten';
};

type Opened<Event extends AccountEvent> = Event extends { readonly type: 'AccountOpened' }
  ? {
      readonly type: 'AccountOpened';
      readonly data: Pick<Event['data'], 'userId' | 'accountNumber' | 'role'> & { readonly profile: Profile };
    }
  : Event extends { readonly type: 'ProfileChanged' }
    ? { readonly type: 'ProfileChanged'; readonly data: { readonly profile: Profile } }
    : Event;

/** The facts of an account as read models get them. */
export type OpenedAccountEvent = Opened<AccountEvent>;

/** What is read of a person whose key was destroyed. */
export const forgottenProfile: Profile = {
  firstname: 'forgotten',
  lastname: 'forgotten',
  email: 'forgotten',
  phone: 'forgotten',
};

/**
 * The step before every read model: profiles in clear, each field `forgotten` once the person was erased. Addresses and
 * bank details stay encrypted in the documents and are opened when they are read, so that nothing of them is to be erased.
 */
export function openPersonalData(decrypt: Decrypt): OpenEvent {
  return (stored) => {
    if (!isEventType(stored.type)) {
      if (isLedgerStream(stored.stream)) throw new UnknownEvent(stored);
      return stored;
    }
    if (stored.type !== 'AccountOpened' && stored.type !== 'ProfileChanged') return decodeEvent(stored);
    const { profile } = stored.data;
    invariant(typeof profile === 'string', `${stored.type} has an encrypted profile`);
    const opened = decryptIn(stored, profile, decrypt);
    return opened instanceof Promise
      ? opened.then((found) => withProfile(stored, found))
      : withProfile(stored, opened);
  };
}

/** What can't be opened though its key could be asked for is a fault of this stream, and of no other. */
function decryptIn(stored: RecordedEvent, profile: string, decrypt: Decrypt): ReturnType<Decrypt> {
  try {
    return decrypt(userIdOf(stored), profile);
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
    throw new LodeError(error.code, error.message, { stream: stored.stream }, { cause: error });
  }
}

/** `openPersonalData` with the keys of each page at hand. */
export function openingWith(keys: KeysOfPage): Opening {
  return {
    open: openPersonalData(keys.decrypt),
    prepare: (events) => keys.load([...new Set(events.filter(hasProfile).map(userIdOf))]),
  };
}

function hasProfile({ type, stream }: RecordedEvent): boolean {
  return (type === 'AccountOpened' || type === 'ProfileChanged') && stream.startsWith(STREAM_PREFIX);
}

const STREAM_PREFIX = accountStream('');

/** The person whose stream an event is in. */
export function userIdOf({ stream }: { readonly stream: string }): string {
  invariant(stream.startsWith(STREAM_PREFIX), 'the events of an account are in its stream');
  return stream.slice(STREAM_PREFIX.length);
}

function withProfile(stored: RecordedEvent, found: object | 'forgotten'): OpenedEvent {
  const profile = found === 'forgotten' ? forgottenProfile : profileOf(found);
  const decoded = decodeEvent(stored);
  return { ...decoded, data: { ...decoded.data, profile } };
}

function readMarkIn(found: object): Pick<Profile, 'notificationsRead'> {
  if (!('notificationsRead' in found) || typeof found.notificationsRead !== 'string') return {};
  return { notificationsRead: found.notificationsRead };
}

function preferencesIn(found: object): Pick<Profile, 'preferences'> {
  const given = preferenceNames.flatMap((name): [string, string][] => {
    const value: unknown = (found as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return given.length === 0 ? {} : { preferences: Object.fromEntries(given) };
}

function profileOf(found: object): Profile {
  const text = (field: keyof Profile): string => {
    const value: unknown = (found as Readonly<Record<string, unknown>>)[field];
    invariant(typeof value === 'string', `a profile has a ${field}`);
    return value;
  };
  return {
    firstname: text('firstname'),
    lastname: text('lastname'),
    email: text('email'),
    phone: text('phone'),
    ...preferencesIn(found),
    ...readMarkIn(found),
  };
}
