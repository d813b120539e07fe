import { Controller, Inject } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { Execution } from '#commands';
import type { BulkAdjustmentsAnswer, BulkResult } from '#contracts';
import { comparePositions, createTurns, LodeError, logStart, type DomainEvent, type Position } from '#kernel';
import { Commands } from '../commands/carry-out.js';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { TheCommands, type CommandsRequest } from '../http/command-context.js';
import { problemOf } from '../http/problem.js';
import { BodyOf, Route, type AnswerOf } from '../http/route.js';
import { SETTINGS, type ApiSettings } from '../settings.js';
import { settingsInForce } from '#application';
import { commandOf, portionsOf, type Item, type Placed } from './adjustments.js';

type Answered = PromiseSettledResult<Execution<DomainEvent>>;

/**
 * Bulk requests that are carried out at once, and that wait for their turn. Side by side they would all take as long as
 * one after the other, and keep everything of all of them in memory meanwhile.
 */
const REQUESTS = { atOnce: 1, waiting: 8 } as const;
/** Items that are decided before everything else has its turn, but for an account that has more of them. */
const ITEMS_A_TURN = 64;

/** Many commands in one request. */
@Controller()
export class BulkController {
  private readonly turns = createTurns({ ...REQUESTS, tooMany });

  constructor(
    private readonly commands: Commands,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('adjustWallets')
  async adjust(
    @BodyOf('adjustWallets') body: BodyOf<'adjustWallets'>,
    @TheCommands() request: CommandsRequest,
  ): Promise<AnswerOf<'adjustWallets'>> {
    const results = await this.turns(() => this.carryOut(body, request));
    const answer = summaryOf(results);
    request.markReplayed(answer.replayed === results.length);
    return answer;
  }

  /** What came of each item. While a portion is being written the next is decided, in turns with everything else. */
  private async carryOut(
    { items, atomic, reason }: BodyOf<'adjustWallets'>,
    request: CommandsRequest,
  ): Promise<readonly BulkResult[]> {
    const { prices } = await settingsInForce(this.ledger);
    const contextFor = request.contextsFor(items.map(({ key }) => key));
    const results: BulkResult[] = [];
    const carryOut = async (portion: readonly Placed[]) => {
      const commands = portion.map(({ item }) => commandOf(item, { reason, prices, contextFor }));
      const answers = await this.commands.carryOutMany('accounts', commands, { atomic, keep: true });
      portion.forEach(({ item, place }, n) => (results[place] = this.resultOf(item, answers[n])));
    };
    let before: Promise<void> | undefined;
    for (const portion of portionsOf(items, ITEMS_A_TURN)) {
      const now = carryOut(portion);
      // It is waited for in the next turn only: nobody else hears of it when it fails before.
      now.catch(() => undefined);
      await Promise.all([before, setImmediate()]);
      before = now;
    }
    await before;
    return results;
  }

  private resultOf({ key, userId }: Item, answer: Answered | undefined): BulkResult {
    if (answer?.status === 'fulfilled') {
      const { events, position, replayed } = answer.value;
      return { status: 'applied', key, userId, replayed, position, revision: events.at(-1)?.revision ?? -1 };
    }
    const problem = problemOf(answer?.reason);
    if (problem.status >= 500)
      this.settings.logger.error({ err: answer?.reason as unknown, code: problem.code }, problem.detail);
    return { status: 'refused', key, userId, problem };
  }
}

function tooMany(): LodeError {
  return new LodeError('overloaded', 'Too many bulk requests are being carried out. Try again.');
}

function summaryOf(results: readonly BulkResult[]): BulkAdjustmentsAnswer {
  let position: Position = logStart;
  let [applied, replayed] = [0, 0];
  for (const result of results) {
    if (result.status === 'refused') continue;
    applied++;
    if (result.replayed) replayed++;
    const own = result.position as Position;
    if (comparePositions(own, position) > 0) position = own;
  }
  const refused = results.length - applied;
  const message = `${applied} of ${results.length} adjustments are applied.`;
  return { position, message, applied, replayed, refused, results: [...results] };
}
