import type { CommandContext, CommandTo, Execution } from '#commands';
import { createSemaphore, hasCode, LodeError, type Actor, type Position, type Timers } from '#kernel';
import type { AccountCommand, AccountEvent } from '#ledger';
import { sentBy } from '../command.js';
import { withSettingsRevision, type SettingsInForce } from '../settings/in-force.js';
import { approvalsIn, proposalId, type ApprovalParts, type Approvals } from './approvals.js';
import { commandOf, portionsOf, ruledItems, type Item, type Placed } from './adjustments.js';

/** What came of one item of a batch; `error` is what it was refused with, or why nobody knows. */
export type BookedItem =
  | {
      readonly status: 'applied';
      readonly replayed: boolean;
      readonly position: Position;
      /** The last event of this item in its account's stream. */
      readonly revision: number;
      /** Of one that waits for other admins, and has moved nothing. */
      readonly waiting: (Approvals & { readonly requestId: string }) | null;
    }
  | { readonly status: 'refused' | 'unknown'; readonly error: unknown };

/** Many adjustments in one command. */
export type AdjustmentBatch = {
  readonly items: readonly Item[];
  /** All items of one account are applied, or none of them. */
  readonly atomic: boolean;
  /** The context of the command that an item is. */
  readonly contextFor: (item: Item) => CommandContext;
};

/** Books what an admin adds to many wallets or takes from them; each item is accepted or refused by itself. */
export class BookAdjustments extends sentBy('admin')<readonly BookedItem[]> {
  constructor(
    override readonly context: { readonly actor: Actor },
    readonly batch: AdjustmentBatch,
  ) {
    super();
  }
}

/**
 * Batches that are carried out at once, and that wait for their turn. Side by side they would all take as long as one
 * after the other, and keep everything of all of them in memory meanwhile.
 */
const BATCHES = { concurrency: 1, waiting: 8 } as const;
/** Items that are decided before everything else has its turn, but for an account that has more of them. */
const ITEMS_A_TURN = 64;

export class BookAdjustmentsHandler {
  private readonly semaphore = createSemaphore({ ...BATCHES, tooMany });

  constructor(
    private readonly parts: ApprovalParts & {
      readonly settings: SettingsInForce;
      readonly timers: Pick<Timers, 'yieldNow'>;
    },
  ) {}

  execute({ batch }: BookAdjustments): Promise<readonly BookedItem[]> {
    return this.semaphore(() => this.carryOut(batch));
  }

  /** What came of each item. While a portion is being written the next is decided, in turns with everything else. */
  private async carryOut({ items, atomic, contextFor }: AdjustmentBatch): Promise<readonly BookedItem[]> {
    const { aggregates, settings, timers } = this.parts;
    const inForce = await settings.current();
    const results: BookedItem[] = [];
    const carryOut = async (portion: readonly Placed[]) => {
      const asked = portion.map(({ item }) =>
        commandOf(item, inForce.prices, withSettingsRevision(inForce, contextFor(item))),
      );
      const commands = await ruledItems(this.parts, inForce.approvalLimits, asked);
      const answers = await aggregates.accounts.executeMany(commands, { atomic, keep: true });
      portion.forEach(({ place }, n) => (results[place] = bookedOf(answers[n], asked[n])));
    };
    let before: Promise<void> | undefined;
    for (const portion of portionsOf(items, ITEMS_A_TURN)) {
      const now = carryOut(portion);
      // It is waited for in the next turn only: nobody else hears of it when it fails before.
      now.catch(() => undefined);
      await Promise.all([before, timers.yieldNow()]);
      before = now;
    }
    await before;
    return results;
  }
}

function bookedOf(
  answer: PromiseSettledResult<Execution<AccountEvent>> | undefined,
  asked: Pick<CommandTo<AccountCommand>, 'context'> | undefined,
): BookedItem {
  if (answer?.status !== 'fulfilled') {
    const error: unknown = answer?.reason;
    return { status: hasCode(error, 'unknown_outcome') ? 'unknown' : 'refused', error };
  }
  const { events, position, replayed } = answer.value;
  const approvals = approvalsIn(events);
  const waiting =
    approvals === null || asked === undefined ? null : { ...approvals, requestId: proposalId(asked.context) };
  return { status: 'applied', replayed, position, revision: events.at(-1)?.revision ?? -1, waiting };
}

function tooMany(): LodeError {
  return new LodeError('overloaded', 'Too many bulk requests are being carried out. Try again.');
}
