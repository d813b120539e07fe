import { LodeError, randomSecret, sha256, type Clock, type Random } from '#kernel';
import { FORGOTTEN, type PersonalData } from './personal-data.js';
import type { PersonKeys } from './person-keys.js';
import type { IdentityStore } from './port.js';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What a link is good for, and how long, in milliseconds. */
export const LINK_MS = {
  'reset-password': 30 * 60_000,
  'verify-email': 3 * 24 * 60 * 60_000,
  /** Given to whoever has shown the password, for the second step of the sign-in. */
  'second-step': 5 * 60_000,
} as const;

export type LinkPurpose = keyof typeof LINK_MS;

/** Whom a link is for, and as of when. */
export type LinkHolder = { readonly userId: string; readonly epoch: number };

/** What a link's token stands for. */
export type Link = LinkHolder & { readonly about: PersonalData };

export type Links = {
  /** The secret of a new link, which is good until `expiresAt` (milliseconds since the epoch). Only its hash is kept. */
  readonly issue: (
    purpose: LinkPurpose,
    holder: LinkHolder,
    about?: PersonalData,
  ) => Promise<{ readonly token: string; readonly expiresAt: number }>;
  /** What a token stands for. Refuses with `link_invalid` one that was used, is over, or never was one for this purpose. */
  readonly read: (purpose: LinkPurpose, token: string) => Promise<Link>;
  /** Takes as long as to issue one, and keeps nothing: a text that looks like a link's secret. */
  readonly pretend: () => Promise<string>;
  /** Uses a link up: of two at once exactly one is told true. */
  readonly spend: (token: string) => Promise<boolean>;
};

export type LinksParts = {
  readonly store: Pick<IdentityStore, 'putLink' | 'linkOf' | 'takeLink' | 'tryChange'>;
  readonly personKeys: Pick<PersonKeys, 'encryptFor' | 'decryptFor'>;
  readonly clock: Clock;
  readonly random: Random;
};

/** One-time links that are sent by mail. */
export function createLinks({ store, personKeys, clock, random }: LinksParts): Links {
  return {
    issue: async (purpose, { userId, epoch }, about) => {
      const token = randomSecret(random);
      const expiresAt = clock() + LINK_MS[purpose];
      await store.putLink({
        hash: sha256(token),
        purpose,
        userId,
        epoch,
        expiresAt,
        ...(about === undefined ? {} : { sealed: await personKeys.encryptFor(userId, about) }),
      });
      return { token, expiresAt };
    },
    read: async (purpose, token) => {
      const found = TOKEN.test(token) ? await store.linkOf(sha256(token)) : undefined;
      if (found === undefined || found.purpose !== purpose || found.expiresAt <= clock()) throw linkInvalid();
      const { userId, epoch, sealed } = found;
      const about = sealed === undefined ? {} : await personKeys.decryptFor(userId, sealed);
      if (about === FORGOTTEN) throw linkInvalid();
      return { userId, epoch, about };
    },
    pretend: async () => {
      await store.tryChange();
      return randomSecret(random);
    },
    spend: (token) => store.takeLink(sha256(token)),
  };
}

/** The refusal of a link that is good for nothing, or no more. */
export function linkInvalid(): LodeError {
  return new LodeError(
    'link_invalid',
    'This link was used, has expired or never existed. Please ask for a new one.',
  );
}
