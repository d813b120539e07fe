import type { BonusPreview } from '#contracts';
import { nextSlot } from '#jobs';
import { hasCode } from '#kernel';
import {
  accrueBonus,
  formatMoney,
  parseMoney,
  perCurrency,
  type BonusAccount,
  type BonusPolicy,
  type Minor,
  type Prices,
} from '#ledger';
import { withEveryBalance, type AccountDocument } from '#projections';
import type { ListQuery, ReadStoreReader } from '#read-store';
import { readPage, type PageAsked } from '../paging.js';
import type { ApplicationParts } from '../parts.js';
import { nameOf } from '../people/names.js';
import type { BonusSettings } from './accrue.js';
import { Query } from '../message.js';

type Parts = Pick<ApplicationParts, 'clock' | 'timers'> & {
  readonly readStore: Pick<ReadStoreReader, 'list'>;
  readonly settings: { readonly current: () => Promise<BonusSettings> };
};

/** A policy that may take the place of the one in force; what is left out stays as it is there. */
type Changed = { readonly [Field in keyof BonusPolicy]?: BonusPolicy[Field] | undefined };

/** Accounts that are read at a time. */
const BATCH = 256;
/** Accounts that a sum is made of, at most: there may be more of them than whoever asks waits for. */
const ACCOUNTS_SUMMED_MAX = 20_000;
const HOUR_MS = 60 * 60 * 1_000;

/** What the next run of the bonus tick, or one at once, would pay, by the policy in force or one that differs from it. Changes nothing. */
export class GetBonusPreview extends Query<BonusPreview> {
  constructor(
    readonly page: Pick<PageAsked, 'cursor' | 'limit'>,
    readonly changed: Changed,
    readonly when: 'next' | 'now' = 'next',
  ) {
    super();
  }
}

export class GetBonusPreviewHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ page, changed, when }: GetBonusPreview): Promise<BonusPreview> {
    const { bonusPolicy, prices } = await this.parts.settings.current();
    const policy = { ...bonusPolicy, ...definedOf(changed) };
    const now = this.parts.clock();
    const at = when === 'now' ? new Date(now).toISOString() : nextSlot(now, policy.everyHours * HOUR_MS);
    const run: Run = { parts: this.parts, policy, prices, at };
    const { items, ...pages } = await pageOf(run, page);
    const sum = await sumOf(run);
    return { ...pages, items: items.map((due) => viewOf(due, policy)), at, policy, sum };
  }
}

/** What a run goes by. */
type Run = {
  readonly parts: Parts;
  readonly policy: BonusPolicy;
  readonly prices: Prices;
  readonly at: string;
};

/** An account, and what it would be paid; nothing where it can't take that. */
type Due = {
  readonly account: AccountDocument;
  readonly paid: { readonly days: number; readonly amount: Minor; readonly converted: Minor } | undefined;
};

/** The fields that give the order: who was paid least first, and of those whose next day is over longest. */
const order = ['bonusDay', 'bonusNextDay', 'id'] as const;

function pageOf(run: Run, page: Pick<PageAsked, 'cursor' | 'limit'>) {
  type Row = Due & Readonly<Record<(typeof order)[number], string>>;
  const rows = async ({ limit, after, direction }: ListQuery): Promise<readonly Row[]> => {
    const found: Row[] = [];
    for await (const batch of dueAccounts(run, { after, direction })) {
      for (const due of batch) {
        const { bonusDay, bonusNextDay, id } = due.account;
        if (due.paid !== undefined) found.push({ ...due, bonusDay, bonusNextDay, id });
      }
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  };
  // A cursor belongs to the policy that its list was made by.
  const equals = Object.fromEntries(Object.entries(run.policy).map(([name, value]) => [name, String(value)]));
  return readPage({ ...page, order: 'oldest', index: 'bonus', equals }, rows, order);
}

async function sumOf(run: Run): Promise<BonusPreview['sum']> {
  let [accounts, days, refused, amount, converted] = [0, 0, 0, 0n, 0n];
  let isWhole = true;
  for await (const batch of dueAccounts(run, { after: undefined, direction: 'ascending' })) {
    for (const { paid } of batch) {
      if (paid === undefined) refused += 1;
      else {
        accounts += 1;
        days += paid.days;
        amount += paid.amount;
        converted += paid.converted;
      }
    }
    isWhole = accounts + refused < ACCOUNTS_SUMMED_MAX;
    if (!isWhole) break;
    // Commands and answers that wait are let in between two batches.
    await run.parts.timers.yieldNow();
  }
  const { currency } = run.policy;
  return {
    accounts,
    days,
    amount: formatMoney(amount, 'USD'),
    converted: formatMoney(converted, currency),
    refused,
    isWhole,
  };
}

/**
 * The accounts that would be paid, a batch at a time, as the read model knows them: those whose next day will be over,
 * each decided as the tick's own account decides.
 */
async function* dueAccounts(
  run: Run,
  { after, direction }: Pick<ListQuery, 'direction'> & { readonly after: readonly string[] | undefined },
): AsyncGenerator<readonly Due[]> {
  const { at, parts, policy } = run;
  const all = Array.from({ length: policy.capDays }, (_, day) => day);
  const days = direction === 'ascending' ? all : all.toReversed();
  const [dayOfAfter, ...keysOfAfter] = after ?? [];
  const begin = dayOfAfter === undefined ? 0 : Math.max(0, days.indexOf(Number(dayOfAfter)));
  for (const day of days.slice(begin)) {
    let keys: readonly string[] | undefined = String(day) === dayOfAfter ? keysOfAfter : undefined;
    for (;;) {
      const page: readonly AccountDocument[] = await parts.readStore.list<AccountDocument>('accounts', {
        index: 'bonus',
        equals: { status: 'active', bonusDay: String(day) },
        direction,
        // Up to the instant itself: the bound is exclusive.
        to: `${at} `,
        ...(keys === undefined ? {} : { after: keys }),
        limit: BATCH,
      });
      yield page.flatMap((account) => decided(run, account));
      const last = page.at(-1);
      if (last === undefined || page.length < BATCH) break;
      keys = [last.bonusNextDay, last.id];
    }
  }
}

/** What the tick would come to at an account; nothing where nothing is due. */
function decided({ at, policy, prices }: Run, account: AccountDocument): readonly Due[] {
  try {
    const [accrued] = accrueBonus({ policy, prices }, purseOf(account), at);
    return accrued === undefined ? [] : [{ account, paid: accrued.data }];
  } catch (error) {
    if (hasCode(error, 'amount_invalid')) return [{ account, paid: undefined }];
    throw error;
  }
}

/** What the ledger's decision looks at, as the read model has it. */
function purseOf(document: AccountDocument): BonusAccount {
  const { balances, bonus, role, userId, wallet } = withEveryBalance(document);
  const amounts = (part: 'available' | 'held') =>
    perCurrency((currency) => parseMoney((currency === 'USD' ? wallet : balances[currency])[part], currency));
  return { available: amounts('available'), bonus, held: amounts('held'), role, status: 'active', userId };
}

function viewOf({ account, paid }: Due, { currency }: BonusPolicy): BonusPreview['items'][number] {
  const { days = 0, amount = 0n, converted = 0n } = paid ?? {};
  return {
    userId: account.userId,
    customer: nameOf(account),
    accountNumber: account.accountNumber,
    wallet: account.wallet.balance,
    bonusDays: Number(account.bonusDay),
    days,
    amount: formatMoney(amount, 'USD'),
    converted: formatMoney(converted, currency),
  };
}

function definedOf(changed: Changed): Partial<BonusPolicy> {
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
}
