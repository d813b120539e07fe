import { LodeError, randomSecret, sha256, type Clock, type Random } from '#kernel';
import { FORGOTTEN, type PersonalData } from './personal-data.js';
import type { PersonKeys } from './person-keys.js';
import type { IdentityStore, LinkRow } from './port.js';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What a link is good for, and how long, in milliseconds. */
export const LINK_MS = {
  'reset-password': 30 * 60_000,
  'verify-email': 3 * 24 * 60 * 60_000,
  /** It gives an account another e-mail address, by which a new password can be had. */
  'change-email': 30 * 60_000,
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
  /** A person's links of a purpose that are not over, the one that ends last first. */
  readonly issued: (
    purpose: LinkPurpose,
    userId: string,
  ) => Promise<readonly (Link & { readonly expiresAt: number })[]>;
  /** Uses up all of a person's links of a purpose; false when there was none. */
  readonly revoke: (purpose: LinkPurpose, userId: string) => Promise<boolean>;
  /** Takes as long as to issue one, and keeps nothing: a text that looks like a link's secret. */
  readonly pretend: () => Promise<string>;
  /** Uses a link up: of two at once exactly one is told true. */
  readonly spend: (token: string) => Promise<boolean>;
};

export type LinksParts = {
  readonly store: Pick<IdentityStore, 'putLink' | 'linkOf' | 'linksOf' | 'takeLink' | 'tryChange'>;
  readonly personKeys: Pick<PersonKeys, 'encryptFor' | 'decryptFor'>;
  readonly clock: Clock;
  readonly random: Random;
};

/** One-time links that are sent by mail. */
export function createLinks({ store, personKeys, clock, random }: LinksParts): Links {
  /** What a link stands for; undefined of somebody who is forgotten. */
  const opened = async ({ userId, epoch, sealed }: LinkRow): Promise<Link | undefined> => {
    const about = sealed === undefined ? {} : await personKeys.decryptFor(userId, sealed);
    return about === FORGOTTEN ? undefined : { userId, epoch, about };
  };
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
      const link = await opened(found);
      if (link === undefined) throw linkInvalid();
      return link;
    },
    issued: async (purpose, userId) => {
      const rows = (await store.linksOf(userId, purpose)).filter(({ expiresAt }) => expiresAt > clock());
      const links = await Promise.all(
        rows.map(async (row) => {
          const link = await opened(row);
          return link && { ...link, expiresAt: row.expiresAt };
        }),
      );
      return links.filter((link) => link !== undefined);
    },
    revoke: async (purpose, userId) => {
      let revoked = false;
      for (const { hash } of await store.linksOf(userId, purpose))
        if (await store.takeLink(hash)) revoked = true;
      return revoked;
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
