import type { CommandContext } from '#commands';
import type { InvitationPage, InvitationView } from '#contracts';
import { invitationStream } from '#ledger';
import type { AccountDocument, InvitationDocument } from '#projections';
import type { AdminRights } from '../admins/rights.js';
import type { Aggregates } from '../aggregates.js';
import { sentBy, type Receipt } from '../command.js';
import { readPage, type PageAsked } from '../paging.js';
import { accountsOf, actorName } from '../people/names.js';
import type { Ports } from '../ports.js';
import { hasAccount } from './steps.js';
import { Query } from '../message.js';

/**
 * Takes an invitation back, also one that somebody accepted whose registration was then cut off. Refuses with
 * `invitation_not_found` and `invitation_used`.
 */
export class RevokeInvitation extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly invitationId: string,
  ) {
    super();
  }
}

export class RevokeInvitationHandler {
  constructor(
    private readonly parts: {
      readonly aggregates: Pick<Aggregates, 'accounts' | 'invitations'>;
      readonly admins: Pick<AdminRights, 'suspend'>;
    },
  ) {}

  async execute({ context, invitationId }: RevokeInvitation): Promise<Receipt> {
    const { aggregates, admins } = this.parts;
    const stream = invitationStream(invitationId);
    const { state } = await aggregates.invitations.load(stream);
    const by = state.kind === 'accepted' ? state.userId : undefined;
    const isUnfinished = by !== undefined && !(await hasAccount(aggregates, by));
    const receipt = await aggregates.invitations.execute(
      stream,
      { type: 'RevokeInvitation', ...(isUnfinished && { unfinishedBy: by }) },
      context,
    );
    // The registration may have been finished meanwhile: then both look, and whoever looks last keeps the admin out.
    if (isUnfinished && (await hasAccount(aggregates, by))) await admins.suspend(by, context);
    return receipt;
  }
}

/** One page of the invitations that were issued, newest first. */
export class ListInvitations extends Query<InvitationPage> {
  constructor(readonly asked: PageAsked) {
    super();
  }
}

type Doer = InvitationDocument['issuedBy'];

export class ListInvitationsHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore' | 'clock'>) {}

  async execute({ asked }: ListInvitations): Promise<InvitationPage> {
    const { readStore, clock } = this.parts;
    const page = await readPage(
      { ...asked, index: 'created', equals: {} },
      (rows) => readStore.list<InvitationDocument>('invitations', rows),
      ['created', 'id'],
    );
    const doers = page.items.flatMap(({ issuedBy, end }) => [issuedBy, ...(end === null ? [] : [end.by])]);
    const accounts = await accountsOf(
      readStore,
      doers.map(({ id }) => id),
    );
    const now = new Date(clock()).toISOString();
    return { ...page, items: page.items.map((row) => viewOf(row, accounts, now)) };
  }
}

function viewOf(
  { id, created, duty, expiresAt, issuedBy, end, position, status }: InvitationDocument,
  accounts: ReadonlyMap<string, AccountDocument>,
  now: string,
): InvitationView {
  const shown = (doer: Doer) => ({
    userId: doer.kind === 'person' ? doer.id : null,
    name: actorName(accounts.get(doer.id), doer),
  });
  return {
    id,
    created,
    duty,
    expiresAt,
    issuedBy: shown(issuedBy),
    state: stateOf({ status, end, expiresAt }, accounts, now),
    end: end === null ? null : { ...end, by: shown(end.by) },
    position,
  };
}

/** One that was accepted by somebody who has no account is unfinished: whoever holds its link can go on with it. */
function stateOf(
  { status, end, expiresAt }: Pick<InvitationDocument, 'status' | 'end' | 'expiresAt'>,
  accounts: ReadonlyMap<string, AccountDocument>,
  now: string,
): InvitationView['state'] {
  if (status === 'issued') return expiresAt <= now ? 'expired' : 'open';
  if (status === 'accepted' && end !== null && !accounts.has(end.by.id)) return 'unfinished';
  return status;
}
