import { changeActs, type ChangePage, type WaitingChange } from '#contracts';
import type { Clock } from '#kernel';
import type { Admins, PlatformChange, Settings } from '#ledger';
import type { ChangeDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import type { AdminRights } from '../admins/rights.js';
import { readPage, type PageAsked } from '../paging.js';
import { accountsOf, nameOf } from '../people/names.js';
import type { SettingsInForce } from '../settings/in-force.js';
import { limitsAsText, pricesAsText, rateAsText } from '../settings/texts.js';
import { Query } from '../message.js';

/** What waits for a second admin, as the admin who asks is to see it. */
export class ListChanges extends Query<ChangePage> {
  constructor(
    readonly asked: PageAsked,
    readonly by: string,
  ) {
    super();
  }
}

type Parts = {
  readonly readStore: ReadStoreReader;
  readonly admins: Pick<AdminRights, 'able' | 'all'>;
  readonly settings: Pick<SettingsInForce, 'current'>;
  readonly clock: Clock;
};

export class ListChangesHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ asked, by }: ListChanges): Promise<ChangePage> {
    const { readStore, clock, admins, settings } = this.parts;
    const now = new Date(clock()).toISOString();
    const page = await readPage(
      { ...asked, index: 'all', equals: {} },
      // What ran out since the page before is not on this one; the list is the same one.
      (query) => readStore.list<ChangeDocument>('changes', { ...query, from: now }),
      ['until', 'id'],
    );
    const named = page.items.flatMap((row) => [row.by, ...(ofWhom(row) ?? [])]);
    const people = await accountsOf(readStore, named);
    const before = { settings: await settings.current(), admins: await admins.all() };
    const items = page.items.map(async (row): Promise<WaitingChange> => {
      const { id, part, values, reason, since, until, position } = row;
      const of = ofWhom(row)?.[0];
      return {
        id,
        part,
        data: values,
        was: nowOf(row, before),
        of: of === undefined ? null : { userId: of, name: nameOf(people.get(of)) },
        by: {
          userId: row.by,
          name: nameOf(people.get(row.by)),
          counts: (await admins.able(changeActs[part])).has(row.by),
        },
        ...(reason === undefined ? {} : { reason }),
        isOwn: row.by === by,
        since,
        until,
        position,
      };
    });
    return { ...page, items: await Promise.all(items) };
  }
}

/** Whose duty or bonus a change is; undefined of what holds for all. */
function ofWhom({ part, values }: PlatformChange): readonly [string] | undefined {
  return part === 'duty' || part === 'bonus' ? [values.userId] : undefined;
}

type Before = { readonly settings: Settings; readonly admins: Admins };

/** What a change is of, as it is now; only the members that it would change. */
function nowOf(change: PlatformChange, { settings, admins }: Before): WaitingChange['was'] {
  switch (change.part) {
    case 'deposit-details':
      return ofSame(change.values, { ...settings.deposit });
    case 'dollar-rate':
      return { rate: rateAsText(settings) };
    case 'prices':
      return { prices: ofSame(change.values.prices, pricesAsText(settings.prices)) };
    case 'bonus-policy':
      return { policy: settings.bonusPolicy };
    case 'approval-limits': {
      const { tiers, expireHours } = limitsAsText(settings.approvalLimits);
      return ofSame(change.values, { tiers: ofSame(change.values.tiers ?? {}, tiers), expireHours });
    }
    case 'duty':
      return { duty: admins.get(change.values.userId)?.duty ?? null };
    default:
      return {};
  }
}

/** The members of `known` that `asked` has. */
function ofSame(asked: object, known: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(asked).map((name) => [name, known[name] ?? null]));
}
