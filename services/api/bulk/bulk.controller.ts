import { Controller, Inject } from '@nestjs/common';
import { BookAdjustments, Bus, type BookedItem, type CommandContext } from '#application';
import type { BulkAdjustmentsAnswer, BulkResult } from '#contracts';
import { comparePositions, logStart, type Position } from '#kernel';
import { accountStream } from '#ledger';
import { CommandsParam, type CommandsRequest } from '../http/command-context.js';
import { logItem } from '../http/failure-log.js';
import { problemOf } from '../http/problem.js';
import { BodyOf, Route, type AnswerOf } from '../http/route.js';
import { SETTINGS, type ApiSettings } from '../settings.js';

type Item = BodyOf<'adjustWallets'>['items'][number];

/** Many commands in one request. */
@Controller()
export class BulkController {
  constructor(
    private readonly bus: Bus,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('adjustWallets')
  async adjust(
    @BodyOf('adjustWallets') { items, atomic, reason: ofAll }: BodyOf<'adjustWallets'>,
    @CommandsParam() request: CommandsRequest,
  ): Promise<AnswerOf<'adjustWallets'>> {
    const contextFor = request.contextsFor(items.map(({ key }) => key));
    const contextOf = ({ key, userId, amounts, reason = ofAll }: Item) =>
      contextFor(key, accountStream(userId), { amounts, reason }, reason);
    const { actor } = request;
    const batch = { items, atomic, contextFor: contextOf };
    const booked = await this.bus.execute(new BookAdjustments({ actor }, batch));
    const results = items.map((item, n) => this.resultOf(item, booked[n], contextOf));
    const answer = summaryOf(results, booked);
    if (answer.replayed === items.length) request.markReplayed();
    return answer;
  }

  private resultOf(
    item: Item,
    booked: BookedItem | undefined,
    contextOf: (item: Item) => CommandContext,
  ): BulkResult {
    const { key, userId } = item;
    if (booked?.status === 'applied') {
      const { status, waiting, ...applied } = booked;
      return waiting === null
        ? { status, key, userId, ...applied }
        : { status: 'waiting', key, userId, ...applied, ...waiting };
    }
    const problem = problemOf(booked?.error);
    if (problem.status >= 500) logItem(this.settings.logger, booked?.error, contextOf(item));
    return { status: booked?.status ?? 'refused', key, userId, problem };
  }
}

function summaryOf(results: readonly BulkResult[], booked: readonly BookedItem[]): BulkAdjustmentsAnswer {
  let position: Position = logStart;
  let [applied, replayed, unknown, waiting] = [0, 0, 0, 0];
  for (const one of booked) {
    if (one.status === 'unknown') unknown++;
    if (one.status !== 'applied') continue;
    if (one.waiting === null) applied++;
    else waiting++;
    if (one.replayed) replayed++;
    if (comparePositions(one.position, position) > 0) position = one.position;
  }
  const refused = results.length - applied - unknown - waiting;
  const message = `${applied} of ${results.length} adjustments are applied.`;
  const some = { ...(unknown === 0 ? {} : { unknown }), ...(waiting === 0 ? {} : { waiting }) };
  const counts = { applied, replayed, refused, ...some };
  return { position, message, ...counts, results: [...results] };
}
