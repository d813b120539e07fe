import { randomUUID } from 'node:crypto';
import type { CommandContext } from '#commands';
import type { Profile } from '#contracts';
import type { Identity } from '#identity';
import { LodeError, sha256, uuidV5, type Actor, type Clock, type Position } from '#kernel';
import { accountStream, invitationStream } from '#ledger';
import type { Ledger } from '../commands/ledger.js';

/** Who asks to be registered, and with which right to be an admin. */
export type NewPerson = {
  readonly profile: Profile;
  readonly password: string;
  readonly invitation?: string | undefined;
};

export type Registered = {
  readonly userId: string;
  readonly role: 'user' | 'admin';
  readonly position: Position;
};

type Parts = { readonly identity: Identity; readonly ledger: Ledger };

/** The namespace of the ids of commands that a registration derives from the new person's id. */
const REGISTRATION = '0b0c2f0a-6a1e-5f6d-8a59-0f1d1a7f6c03';

/**
 * Registers a person: the e-mail is reserved, the invitation (when there is one) is accepted, the account is opened in
 * the log, the credential is activated. Every step may run twice: their commands have ids derived from the person's, so
 * a crash between two steps leaves a reservation that the next attempt or the sweep at start resolves. An invitation that was
 * accepted by a registration which was then cut off stays used: a new one has to be issued.
 *
 * Refuses with `email_exists` and `invitation_invalid`.
 */
export async function register({ identity, ledger }: Parts, person: NewPerson): Promise<Registered> {
  const { profile, password, invitation } = person;
  const role = invitation === undefined ? 'user' : 'admin';
  const invitationId =
    invitation === undefined ? undefined : await identity.invitations.invitationOf(invitation);
  if (invitationId !== undefined) await checkUnused(ledger, invitationId);
  const reserved = await identity.credentials.reserve({ email: profile.email, password, role });
  const { userId, accountNumber } = reserved;
  if (invitationId !== undefined) {
    const context = contextOf(userId, role, 'accept');
    await ledger.invitations.execute(
      invitationStream(invitationId),
      { type: 'AcceptInvitation', userId },
      context,
    );
  }
  const opened = await ledger.accounts.execute(
    accountStream(userId),
    {
      type: 'OpenAccount',
      userId,
      accountNumber,
      role,
      profile: await identity.personKeys.encryptFor(userId, { ...profile }),
    },
    contextOf(userId, role, 'open'),
  );
  await identity.credentials.activate(reserved);
  return { userId, role, position: opened.position };
}

/** Looks before the e-mail is reserved, so that a used invitation leaves no reservation behind. */
async function checkUnused(ledger: Ledger, invitationId: string): Promise<void> {
  const { state } = await ledger.invitations.load(invitationStream(invitationId));
  if (state.kind !== 'issued') {
    throw new LodeError('invitation_invalid', 'This invitation was used, has expired or never existed.');
  }
}

function contextOf(userId: string, role: 'user' | 'admin', step: string): CommandContext {
  const commandId = uuidV5(REGISTRATION, `${userId}/${step}`);
  return {
    actor: { kind: 'person', id: userId, role },
    commandId,
    requestHash: sha256(`${userId}/${step}`),
    correlationId: uuidV5(REGISTRATION, userId),
    causationId: commandId,
  };
}

/** How long an invitation can be accepted, in milliseconds. */
const INVITATION_MS = 24 * 60 * 60 * 1_000;

export type IssuedInvitation = {
  readonly invitationId: string;
  readonly token: string;
  readonly path: string;
  readonly expiresAt: string;
  readonly position: Position;
};

type Issuing = Parts & { readonly clock: Clock };

/** Issues a one-time invitation that makes an admin. Its token is in the answer and nowhere else. */
export function issueInvitation(parts: Issuing, actor: Actor, session?: string): Promise<IssuedInvitation> {
  const expiresAt = new Date(parts.clock() + INVITATION_MS).toISOString();
  return issue(parts, { invitationId: randomUUID(), expiresAt }, actor, session);
}

/** Registrations of a first admin that may be cut off for good, each with its invitation used up, before giving up. */
const FIRST_ADMIN_TRIES = 100;
/** It stands until it is used; its links end after `INVITATION_MS` like all others. */
const FIRST_ADMIN_EXPIRES_AT = '9999-12-31T23:59:59.999Z';

/** Issues the link that makes the first admin; the links that were issued so before are void from now on. */
export async function inviteFirstAdmin(parts: Issuing): Promise<IssuedInvitation> {
  const actor = { kind: 'operator', id: 'operator', role: 'system' } as const;
  for (let n = 1; n <= FIRST_ADMIN_TRIES; n++) {
    // Always the same invitation, so that each new link makes those before it void. One that was accepted while there
    // still is no admin belongs to a registration that was cut off for good: it stays used, and the next one is taken.
    const invitationId = uuidV5(REGISTRATION, `first admin ${n}`);
    const { state } = await parts.ledger.invitations.load(invitationStream(invitationId));
    if (state.kind === 'accepted') continue;
    return issue(parts, { invitationId, expiresAt: FIRST_ADMIN_EXPIRES_AT }, actor);
  }
  throw new LodeError('internal', 'Too many registrations of a first admin were cut off.');
}

async function issue(
  { identity, ledger, clock }: Issuing,
  invitation: { readonly invitationId: string; readonly expiresAt: string },
  actor: Actor,
  session?: string,
): Promise<IssuedInvitation> {
  const { invitationId } = invitation;
  const commandId = uuidV5(REGISTRATION, `${invitationId}/issue`);
  const issued = await ledger.invitations.execute(
    invitationStream(invitationId),
    { type: 'IssueInvitation', ...invitation },
    {
      actor,
      commandId,
      requestHash: sha256(invitationId),
      correlationId: invitationId,
      causationId: commandId,
      ...(session === undefined ? {} : { session }),
    },
  );
  const expiresAt = new Date(clock() + INVITATION_MS).toISOString();
  const token = await identity.invitations.issueToken(invitationId, expiresAt);
  return {
    invitationId,
    token,
    path: `/auth/register?invitation=${token}`,
    expiresAt,
    position: issued.position,
  };
}
