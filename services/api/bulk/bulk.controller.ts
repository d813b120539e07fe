import { Controller, Inject } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { Execution } from '#commands';
import type { BulkAdjustmentsAnswer, BulkResult } from '#contracts';
import { comparePositions, LodeError, logStart, type DomainEvent, type Position } from '#kernel';
import { Commands } from '../commands/carry-out.js';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { TheCommands, type CommandsRequest } from '../http/command.js';
import { problemOf } from '../http/problem.js';
import { BodyOf, Route, type AnswerOf } from '../http/route.js';
import { SETTINGS, type ApiSettings } from '../settings.js';
import { pricesInForce } from '../settings/in-force.js';
import { commandOf, portionsOf, type Item } from './adjustments.js';

/** Bulk requests that are carried out at once: each may have as many appends waiting as it has items. */
const REQUESTS_MAX = 8;
/** Items that are decided before everything else has its turn, but for an account that has more of them. */
const ITEMS_A_TURN = 128;

type Answered = PromiseSettledResult<Execution<DomainEvent>>;

/** Many commands in one request. */
@Controller()
export class BulkController {
  private underWay = 0;

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
    if (this.underWay >= REQUESTS_MAX)
      throw new LodeError('overloaded', 'Too many bulk requests are being carried out. Try again.');
    this.underWay++;
    try {
      const answers = await this.carryOut(body, request);
      const results = body.items.map((item, n) => this.resultOf(item, answers[n]));
      const answer = summaryOf(results);
      request.markReplayed(answer.replayed === results.length);
      return answer;
    } finally {
      this.underWay--;
    }
  }

  /** What came of each item. All are sent off without waiting for one another, in turns with everything else. */
  private async carryOut(
    { items, atomic, reason }: BodyOf<'adjustWallets'>,
    request: CommandsRequest,
  ): Promise<readonly (Answered | undefined)[]> {
    const prices = await pricesInForce(this.ledger);
    const contextFor = request.contextsFor(items.map(({ key }) => key));
    const answers: Answered[] = [];
    const portions: Promise<void>[] = [];
    for (const portion of portionsOf(items, ITEMS_A_TURN)) {
      const commands = portion.map(({ item }) => commandOf(item, { reason, prices, contextFor }));
      const carriedOut = this.commands.carryOutMany('accounts', commands, { atomic, keep: true });
      portions.push(
        carriedOut.then((some) => portion.forEach(({ place }, n) => (answers[place] = some[n] as Answered))),
      );
      await setImmediate();
    }
    await Promise.all(portions);
    return answers;
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
