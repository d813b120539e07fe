import { invariant, type Json, type RecordedEvent } from '#kernel';
import type { AccountEvent } from '#ledger';

/** What `AccountOpened` holds encrypted. */
export type Profile = {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly phone: string;
};

/** Opens what was encrypted with a person's key; `forgotten` when that key was destroyed. Given from outside. */
export type Decrypt = (
  userId: string,
  sealed: string,
) => object | 'forgotten' | Promise<object | 'forgotten'>;

/** Gives an event whose personal data can be read; every other event as it is. */
export type OpenEvent = (event: RecordedEvent) => RecordedEvent | Promise<RecordedEvent>;

type Opened<Event extends AccountEvent> = Event extends { readonly type: 'AccountOpened' }
  ? {
      readonly type: 'AccountOpened';
      readonly data: Pick<Event['data'], 'userId' | 'accountNumber' | 'role'> & { readonly profile: Profile };
    }
  : Event;

/** The facts of an account as read models get them. */
export type OpenedAccountEvent = Opened<AccountEvent>;

const forgotten: Profile = {
  firstname: 'forgotten',
  lastname: 'forgotten',
  email: 'forgotten',
  phone: 'forgotten',
};

/** The step before every read model: personal data in clear, each field `forgotten` once the person was erased. */
export function openPersonalData(decrypt: Decrypt): OpenEvent {
  return (event) => {
    if (event.type !== 'AccountOpened') return event;
    const { userId, profile } = event.data;
    invariant(
      typeof userId === 'string' && typeof profile === 'string',
      'AccountOpened has a sealed profile',
    );
    const opened = decrypt(userId, profile);
    return opened instanceof Promise
      ? opened.then((found) => withProfile(event, found))
      : withProfile(event, opened);
  };
}

function withProfile(event: RecordedEvent, found: object | 'forgotten'): RecordedEvent {
  const profile: Json = found === 'forgotten' ? forgotten : profileOf(found);
  return { ...event, data: { ...event.data, profile } };
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
  };
}
