import type { CommandContext, CommandTo } from '#commands';
import type { BulkAdjustmentsBody } from '#contracts';
import { isLodeError, type LodeError } from '#kernel';
import { accountStream, parseMoney, paymentCurrencies, type AccountCommand, type Prices } from '#ledger';

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

/** The command that an item asks for; with amounts that are none, why not. */
export function commandOf(
  { userId, amounts }: Item,
  prices: Prices,
  context: CommandContext,
): CommandTo<AccountCommand> {
  return { stream: accountStream(userId), context, command: adjustmentOf(amounts, prices) };
}

function adjustmentOf(amounts: Item['amounts'], prices: Prices): AccountCommand | LodeError {
  try {
    const entries = paymentCurrencies.map((currency) => ({
      currency,
      amount: parseMoney(amounts[currency] ?? '0', 'USD'),
    }));
    return { type: 'AdjustWallet', entries, prices };
  } catch (error) {
    if (isLodeError(error)) return error;
    throw error;
  }
}
