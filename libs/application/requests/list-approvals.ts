import type { ApprovalPage, WaitingApproval } from '#contracts';
import type { Clock } from '#kernel';
import { allowanceStream, approvalsFor, formatMoney, movedLately, sizeOf, type Use } from '#ledger';
import type { ApprovalDocument } from '#projections';
import type { Aggregates } from '../aggregates.js';
import { readPage, type PageAsked } from '../paging.js';
import { accountsOf, nameOf } from '../people/names.js';
import type { SettingsInForce } from '../settings/in-force.js';
import { countOf, type People, type RequestSources } from './view.js';
import { Query } from '../message.js';

/** What waits for other admins, as the admin who asks is to see it. */
export class ListApprovals extends Query<ApprovalPage> {
  constructor(
    readonly filter: PageAsked & { readonly userId?: string | undefined },
    readonly by: string,
  ) {
    super();
  }
}

export class ListApprovalsHandler {
  constructor(private readonly parts: RequestSources) {}

  async execute({ filter, by }: ListApprovals): Promise<ApprovalPage> {
    const { readStore, clock, admins } = this.parts;
    const { userId, ...asked } = filter;
    const now = new Date(clock()).toISOString();
    const index = userId === undefined ? { index: 'all', equals: {} } : { index: 'user', equals: { userId } };
    const page = await readPage(
      { ...asked, ...index },
      // What ran out since the page before is not on this one; the list is the same one.
      (query) => readStore.list<ApprovalDocument>('approvals', { ...query, from: now }),
      ['until', 'id'],
    );
    const named = page.items.flatMap((row) => [row.userId, ...row.approvals.map((one) => one.by)]);
    const people = await accountsOf(readStore, named);
    const seen = { people, by, deciders: await admins.deciders(), now };
    return { ...page, items: page.items.map((row) => viewOf(row, seen)) };
  }
}

type Seen = {
  readonly people: People;
  readonly by: string;
  readonly deciders: ReadonlySet<string>;
  readonly now: string;
};

function viewOf(row: ApprovalDocument, { people, by, deciders, now }: Seen): WaitingApproval {
  const { amounts, approvals, id, kind, position, since, until, userId } = row;
  const given = approvals.map((one) => ({ ...one, counts: one.until > now && deciders.has(one.by) }));
  return {
    id,
    kind,
    userId,
    customer: nameOf(people.get(userId)),
    amounts: [...amounts],
    approvals: countOf(row, deciders, now),
    by: given.map(({ by: who, ...one }) => ({ ...one, userId: who, name: nameOf(people.get(who)) })),
    isOwn: given.some((one) => one.counts && one.by === by),
    since,
    until,
    position,
  };
}

/** How many approvals an amount would take of an admin now. */
export class GetApprovalsNeeded extends Query<{ readonly approvals: number; readonly moved: string }> {
  constructor(
    readonly by: string,
    readonly use: Use,
  ) {
    super();
  }
}

type NeededParts = {
  readonly aggregates: Pick<Aggregates, 'allowances'>;
  readonly settings: Pick<SettingsInForce, 'current'>;
  readonly clock: Clock;
};

export class GetApprovalsNeededHandler {
  constructor(private readonly parts: NeededParts) {}

  async execute({ by, use: { amount, currency } }: GetApprovalsNeeded) {
    const { aggregates, settings, clock } = this.parts;
    const { tiers } = (await settings.current()).approvalLimits;
    const { state } = await aggregates.allowances.load(allowanceStream(by));
    const now = new Date(clock()).toISOString();
    return {
      approvals: approvalsFor(currency, sizeOf(amount), tiers, state, now),
      moved: formatMoney(movedLately(currency, state, now), 'USD'),
    };
  }
}
