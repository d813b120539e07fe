import { LodeError, logStart, parsePosition, uuidV4, type Clock, type Position, type Random } from '#kernel';
import { invitationStream, type Duty } from '#ledger';
import type { AccessContext } from '../access/context.js';
import { sentBy } from '../command.js';
import { contextOfStep, hasAccount, registrationId, type RegistrationDependencies } from './steps.js';

/** How long an invitation's link can be used, in milliseconds. */
const INVITATION_MS = 24 * 60 * 60 * 1_000;
/** First admins who were erased again, each with an invitation used up, before giving up. */
const FIRST_ADMIN_TRIES = 100;
/** The first admin's invitation stands until it is used; its links end after `INVITATION_MS` like all others. */
const FIRST_ADMIN_EXPIRES_AT = '9999-12-31T23:59:59.999Z';

/** An invitation with its link. The token is in this answer and nowhere else. */
export type IssuedInvitation = {
  readonly invitationId: string;
  /** What it makes of whoever accepts it. */
  readonly duty: Duty;
  readonly token: string;
  /** The path of the page where it is accepted. */
  readonly path: string;
  /** When the link ends; an ISO instant. */
  readonly expiresAt: string;
  readonly position: Position;
  /** True when it is the answer that this request was given before. */
  readonly replayed: boolean;
};

/** Dependencies of invitations. */
export type InvitationDependencies = RegistrationDependencies & {
  readonly clock: Clock;
  readonly random: Random;
};

/**
 * Issues a one-time invitation that makes an admin of a duty. Refuses an operator with `conflict` while there is none: the first one
 * is made by `InviteFirstAdmin`.
 */
export class InviteAdmin extends sentBy('admin', 'operator')<IssuedInvitation> {
  constructor(
    override readonly context: AccessContext,
    readonly duty: Duty,
    /** The key that a repeat of the request has, too. */
    readonly key?: string,
  ) {
    super();
  }
}

export class InviteAdminHandler {
  constructor(private readonly dependencies: InvitationDependencies) {}

  async execute({ context, duty, key }: InviteAdmin): Promise<IssuedInvitation> {
    const { identity, clock, random } = this.dependencies;
    // Every start then prints a link of its own, which makes those before it void.
    if (context.actor.kind === 'operator' && !(await identity.credentials.hasAdmin()))
      throw new LodeError(
        'conflict',
        'There is no admin yet: start Lode, which prints the link that makes the first one.',
      );
    if (key !== undefined) return this.once(context, duty, key);
    const expiresAt = new Date(clock() + INVITATION_MS).toISOString();
    return issueInvitation(this.dependencies, { invitationId: uuidV4(random), duty, expiresAt }, context);
  }

  /** Issues the invitation that a request with this key asks for, which is carried out once. Its token is kept nowhere. */
  private async once(context: AccessContext, duty: Duty, key: string): Promise<IssuedInvitation> {
    const { invitations, requests } = this.dependencies.identity;
    const request = { name: ['invite', context.actor.id, key], content: duty === 'owner' ? {} : { duty } };
    const { answer, draw, replayed } = await requests.once(request, async ({ draw: from, begunAt }) => {
      const invitation = {
        invitationId: uuidV4(from('invitation')),
        duty,
        expiresAt: new Date(begunAt + INVITATION_MS).toISOString(),
      };
      const issued = await issueInvitation(this.dependencies, invitation, context, from('token'));
      const { invitationId, expiresAt, position } = issued;
      return { answer: { invitationId, expiresAt, position }, about: context.actor.id };
    });
    const token = invitations.tokenFrom(draw('token'));
    const position = parsePosition(answer('position')) ?? logStart;
    return {
      ...linkWith(token),
      duty,
      invitationId: answer('invitationId'),
      expiresAt: answer('expiresAt'),
      position,
      replayed,
    };
  }
}

/**
 * Issues the link that makes the first admin; the links that were issued so before are void from now on. Undefined when
 * there is an admin already.
 */
export class InviteFirstAdmin extends sentBy('operator')<IssuedInvitation | undefined> {
  constructor(override readonly context: AccessContext) {
    super();
  }
}

export class InviteFirstAdminHandler {
  constructor(private readonly dependencies: InvitationDependencies) {}

  async execute({ context }: InviteFirstAdmin): Promise<IssuedInvitation | undefined> {
    const { aggregates, identity } = this.dependencies;
    if (await identity.credentials.hasAdmin()) return undefined;
    for (let n = 1; n <= FIRST_ADMIN_TRIES; n++) {
      // Always the same invitation, so that each new link makes those before it void. One that was accepted by somebody who
      // is no admin any more is used up, and the next one is taken.
      const invitationId = registrationId(`first admin ${n}`);
      const { state, position } = await aggregates.invitations.load(invitationStream(invitationId));
      const invitation = { invitationId, duty: 'owner', expiresAt: FIRST_ADMIN_EXPIRES_AT } as const;
      if (state.kind === 'revoked') continue;
      if (state.kind !== 'accepted') return issueInvitation(this.dependencies, invitation, context);
      // A registration that was cut off: whoever gets the new link finishes it.
      if (!(await hasAccount(aggregates, state.userId)))
        return linkTo(this.dependencies, invitation, position);
    }
    throw new LodeError('internal', 'Too many first admins were erased.');
  }
}

/** What an invitation is, and what it makes. */
type Invited = { readonly invitationId: string; readonly duty: Duty };

async function issueInvitation(
  dependencies: InvitationDependencies,
  invitation: Invited & { readonly expiresAt: string },
  { actor, session }: AccessContext,
  drawn?: Random,
): Promise<IssuedInvitation> {
  const { invitationId, duty } = invitation;
  const { position } = await dependencies.aggregates.invitations.execute(
    invitationStream(invitationId),
    { type: 'IssueInvitation', ...invitation },
    contextOfStep({
      actor,
      session,
      name: `${invitationId}/issue`,
      // That of an owner is what it was before invitations had duties.
      content: duty === 'owner' ? invitationId : `${invitationId}/${duty}`,
      correlationId: invitationId,
    }),
  );
  return linkTo(dependencies, invitation, position, drawn);
}

/** A new link to an invitation; the one before is void. */
async function linkTo(
  { identity, clock }: InvitationDependencies,
  { invitationId, duty }: Invited,
  position: Position,
  drawn?: Random,
): Promise<IssuedInvitation> {
  const expiresAt = new Date(clock() + INVITATION_MS).toISOString();
  const token = await identity.invitations.issueToken(invitationId, expiresAt, drawn);
  return { ...linkWith(token), invitationId, duty, expiresAt, position, replayed: false };
}

function linkWith(token: string): Pick<IssuedInvitation, 'token' | 'path'> {
  return { token, path: `/auth/register#invitation=${token}` };
}
