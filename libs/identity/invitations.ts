import { LodeError, randomSecret, sha256, type Clock, type Random } from '#kernel';
import type { IdentityStore } from './port.js';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export type InvitationTokens = {
  /**
   * A link's secret for an invitation; only its hash is kept. `expiresAt` is an ISO instant. A new one replaces it. It is
   * drawn from `drawn` where that is given.
   */
  readonly issueToken: (invitationId: string, expiresAt: string, drawn?: Random) => Promise<string>;
  /** The secret that was drawn so. */
  readonly tokenFrom: (drawn: Random) => string;
  /** The invitation that a token stands for. Whether it is still unused, its stream says. Refuses with `invitation_invalid`. */
  readonly invitationOf: (token: string) => Promise<string>;
};

export type InvitationTokensParts = {
  readonly store: IdentityStore;
  readonly clock: Clock;
  readonly random: Random;
};

/** The secrets by which invitations are accepted. */
export function createInvitationTokens({ store, clock, random }: InvitationTokensParts): InvitationTokens {
  return {
    issueToken: async (invitationId, expiresAt, drawn = random) => {
      const token = randomSecret(drawn);
      await store.putInvitationToken(invitationId, { hash: sha256(token), expiresAt: Date.parse(expiresAt) });
      return token;
    },
    tokenFrom: (drawn) => randomSecret(drawn),
    invitationOf: async (token) => {
      const found = TOKEN.test(token) ? await store.invitationByToken(sha256(token)) : undefined;
      if (found === undefined || found.expiresAt <= clock())
        throw new LodeError(
          'invitation_invalid',
          'This invitation was used or revoked, has expired or never existed.',
        );
      return found.invitationId;
    },
  };
}
