import { randomUUID } from 'node:crypto';
import type { CommandContext } from '#commands';
import type { Profile } from '#contracts';
import type { Identity, Reserved } from '#identity';
import { isLodeError, LodeError, sha256, uuidV5, type Actor, type Clock, type Position } from '#kernel';
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

/** An admin who registers somebody else. */
export type Registrar = { readonly actor: Actor; readonly session: string };

/**
 * Registers a person: the e-mail is reserved, the invitation (when there is one) is accepted, the account is opened in
 * the log, the credential is activated. Every step may run twice: a crash between two steps leaves a reservation that the
 * next attempt or the sweep at start resolves, and an accepted invitation that whoever holds its link can finish with.
 *
 * Refuses with `email_exists`, `password_policy` and `invitation_invalid`.
 */
export async function register(parts: Parts, person: NewPerson, by?: Registrar): Promise<Registered> {
  const { identity, ledger } = parts;
  const { profile, password } = person;
  const invitation = person.invitation === undefined ? undefined : await usable(parts, person.invitation);
  const role = invitation === undefined ? 'user' : 'admin';
  const { email } = profile;
  const reserved = await identity.credentials.reserve({ email, password, role, userId: invitation?.userId });
  if (invitation !== undefined) await accept(parts, invitation.invitationId, reserved);
  const { userId, accountNumber } = reserved;
  const opened = await ledger.accounts
    .execute(
      accountStream(userId),
      {
        type: 'OpenAccount',
        userId,
        accountNumber,
        role,
        profile: await identity.personKeys.encryptFor(userId, { ...profile }),
      },
      contextOf(reserved, role, 'open', `${userId}/open`, by),
    )
    .catch((error: unknown) => {
      // Another registration of this e-mail, which had stalled so long that this one took it over, came first after all.
      const isOther = isLodeError(error) && error.code === 'idempotency_key_reused';
      throw isOther ? new LodeError('email_exists', 'User already exists') : error;
    });
  await identity.credentials.activate(reserved);
  return { userId, role, position: opened.position };
}

/**
 * The invitation of a link, and who accepted it in a registration that was then cut off. Looks before the e-mail is
 * reserved, so that a used invitation leaves no reservation behind.
 */
async function usable(
  { identity, ledger }: Parts,
  token: string,
): Promise<{ readonly invitationId: string; readonly userId: string | undefined }> {
  const invitationId = await identity.invitations.invitationOf(token);
  const { state } = await ledger.invitations.load(invitationStream(invitationId));
  if (state.kind === 'issued') return { invitationId, userId: undefined };
  if (state.kind === 'accepted' && !(await isOpen(ledger, state.userId)))
    return { invitationId, userId: state.userId };
  throw new LodeError('invitation_invalid', 'This invitation was used, has expired or never existed.');
}

async function isOpen(ledger: Ledger, userId: string): Promise<boolean> {
  return (await ledger.accounts.load(accountStream(userId))).state.kind !== 'none';
}

/** Accepts an invitation for whoever has reserved an e-mail; a refusal gives the e-mail back. */
async function accept({ identity, ledger }: Parts, invitationId: string, reserved: Reserved): Promise<void> {
  const { userId, reservedAt } = reserved;
  try {
    await ledger.invitations.execute(
      invitationStream(invitationId),
      { type: 'AcceptInvitation', userId },
      contextOf(reserved, 'admin', 'accept', `${userId}/${reservedAt}/accept`),
    );
  } catch (error) {
    if (isLodeError(error) && error.code === 'invitation_invalid')
      await identity.credentials.release(reserved);
    throw error;
  }
}

/**
 * The hash is of the reservation, which one request has made with one content: of two that reserve the same person's
 * e-mail one after the other, only one opens the account. The content itself is personal and is not even hashed here.
 */
function contextOf(
  { userId, reservedAt }: Reserved,
  role: 'user' | 'admin',
  step: string,
  name: string,
  by?: Registrar,
): CommandContext {
  const commandId = uuidV5(REGISTRATION, name);
  return {
    actor: by?.actor ?? { kind: 'person', id: userId, role },
    commandId,
    requestHash: sha256(`${userId}/${reservedAt}/${step}`),
    correlationId: uuidV5(REGISTRATION, userId),
    causationId: commandId,
    ...(by === undefined ? {} : { session: by.session }),
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

/** First admins who were erased again, each with an invitation used up, before giving up. */
const FIRST_ADMIN_TRIES = 100;
/** It stands until it is used; its links end after `INVITATION_MS` like all others. */
const FIRST_ADMIN_EXPIRES_AT = '9999-12-31T23:59:59.999Z';

/** Issues the link that makes the first admin; the links that were issued so before are void from now on. */
export async function inviteFirstAdmin(parts: Issuing): Promise<IssuedInvitation> {
  const actor = { kind: 'operator', id: 'operator', role: 'system' } as const;
  for (let n = 1; n <= FIRST_ADMIN_TRIES; n++) {
    // Always the same invitation, so that each new link makes those before it void. One that was accepted by somebody who
    // is no admin any more is used up, and the next one is taken.
    const invitationId = uuidV5(REGISTRATION, `first admin ${n}`);
    const { state, position } = await parts.ledger.invitations.load(invitationStream(invitationId));
    const invitation = { invitationId, expiresAt: FIRST_ADMIN_EXPIRES_AT };
    if (state.kind !== 'accepted') return issue(parts, invitation, actor);
    // A registration that was cut off: whoever gets the new link finishes it.
    if (!(await isOpen(parts.ledger, state.userId))) return linkTo(parts, invitationId, position);
  }
  throw new LodeError('internal', 'Too many first admins were erased.');
}

async function issue(
  parts: Issuing,
  invitation: { readonly invitationId: string; readonly expiresAt: string },
  actor: Actor,
  session?: string,
): Promise<IssuedInvitation> {
  const { invitationId } = invitation;
  const commandId = uuidV5(REGISTRATION, `${invitationId}/issue`);
  const issued = await parts.ledger.invitations.execute(
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
  return linkTo(parts, invitationId, issued.position);
}

/** A new link to an invitation; the one before is void. */
async function linkTo(
  { identity, clock }: Issuing,
  invitationId: string,
  position: Position,
): Promise<IssuedInvitation> {
  const expiresAt = new Date(clock() + INVITATION_MS).toISOString();
  const token = await identity.invitations.issueToken(invitationId, expiresAt);
  return { invitationId, token, path: `/auth/register?invitation=${token}`, expiresAt, position };
}
