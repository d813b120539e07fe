import type { CommandContext, CommandTo, Execution } from '#commands';
import type { BulkAdjustmentsBody } from '#contracts';
import { isLodeError, LodeError } from '#kernel';
import {
  accountStream,
  parseMoney,
  paymentCurrencies,
  type AccountCommand,
  type AllowanceEvent,
  type ApprovalRule,
  type Prices,
  type Settings,
} from '#ledger';
import { allowanceFor, approver, proposalId, usesOf, type ApprovalParts } from './approvals.js';

/** Amounts are texts here: an item with one that is none is refused by itself. */
export type Item = BulkAdjustmentsBody['items'][number];

/** An item and its place in the request. */
export type Placed = { readonly item: Item; readonly place: number };

/**
 * The items in portions of at least `size`, but for the last, in their order account by account: all of one account are
 * in one portion.
 */
export function portionsOf(items: readonly Item[], size: number): readonly (readonly Placed[])[] {
  const byAccount = Map.groupBy(
    items.map((item, place) => ({ item, place })),
    ({ item }) => item.userId,
  );
  const portions: Placed[][] = [];
  let portion: Placed[] = [];
  for (const placed of byAccount.values()) {
    portion.push(...placed);
    if (portion.length < size) continue;
    portions.push(portion);
    portion = [];
  }
  return portion.length === 0 ? portions : [...portions, portion];
}

/**
 * The commands with how many approvals each takes. All of one admin's count one after the other, before any is carried out, so that a
 * bulk takes as many as one adjustment of its sum would; one that is refused then has counted.
 */
export async function ruledItems(
  parts: ApprovalParts,
  limits: Settings['approvalLimits'],
  items: readonly CommandTo<AdjustWallet>[],
): Promise<readonly CommandTo<AccountCommand>[]> {
  const counted = items.flatMap(({ command, context }, n) => {
    const uses = isLodeError(command) ? [] : usesOf(command.entries, limits);
    return uses.length === 0 ? [] : [{ n, asked: allowanceFor(uses, limits, context) }];
  });
  const [first] = counted;
  if (first === undefined) return items;
  const rule = await approver(parts, limits, first.asked.context);
  const answers = await parts.aggregates.allowances.executeMany(
    counted.map(({ asked }) => asked),
    { keep: true },
  );
  const ruled: CommandTo<AccountCommand>[] = [...items];
  for (const [place, { n }] of counted.entries()) {
    const [item, answer] = [items[n], answers[place]];
    if (item === undefined || answer === undefined || isLodeError(item.command)) continue;
    ruled[n] = { ...item, command: ruledItem(item.command, rule, answer, proposalId(item.context)) };
  }
  return ruled;
}

function ruledItem(
  command: AdjustWallet,
  rule: Omit<ApprovalRule, 'needed'>,
  answer: PromiseSettledResult<Execution<AllowanceEvent>>,
  requestId: string,
): AccountCommand | LodeError {
  if (answer.status === 'rejected') return toRefusal(answer.reason);
  const needed = answer.value.events[0]?.data.approvals ?? 1;
  return { ...command, approval: { ...rule, needed, requestId } };
}

function toRefusal(reason: unknown): LodeError {
  return isLodeError(reason)
    ? reason
    : new LodeError('internal', 'What this admin moves could not be counted.', {}, { cause: reason });
}

/** The command that an item asks for; with amounts that are none, why not. */
export function commandOf(
  { userId, amounts }: Item,
  prices: Prices,
  context: CommandContext,
): CommandTo<AdjustWallet> {
  return { stream: accountStream(userId), context, command: adjustmentOf(amounts, prices, context.actor.id) };
}

type AdjustWallet = Extract<AccountCommand, { readonly type: 'AdjustWallet' }>;

function adjustmentOf(amounts: Item['amounts'], prices: Prices, by: string): AdjustWallet | LodeError {
  try {
    const entries = paymentCurrencies.map((currency) => ({
      currency,
      amount: parseMoney(amounts[currency] ?? '0', 'USD'),
    }));
    return { type: 'AdjustWallet', by, entries, prices };
  } catch (error) {
    if (isLodeError(error)) return error;
    throw error;
  }
}
