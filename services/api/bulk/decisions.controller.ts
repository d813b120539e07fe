import { Controller, Inject } from '@nestjs/common';
import {
  Bus,
  ConfirmRequest,
  RejectRequest,
  type CommandContext,
  type Decided,
  type Receipt,
} from '#application';
import type { BulkDecisionsAnswer, BulkDecisionResult } from '#contracts';
import { comparePositions, hasCode, logStart, type Position } from '#kernel';
import { accountStream } from '#ledger';
import { CommandsParam, type CommandsRequest } from '../http/command-context.js';
import { logItem } from '../http/failure-log.js';
import { problemOf } from '../http/problem.js';
import { BodyOf, Route, type AnswerOf } from '../http/route.js';
import { SETTINGS, type ApiSettings } from '../settings.js';

type Body = BodyOf<'decideRequests'>;
type Item = Body['items'][number];
type ContextOf = (item: Item) => CommandContext;
type Outcome = PromiseSettledResult<Receipt & Partial<Pick<Decided, 'approvals'>>>;

const kinds = { Funding: 'funding', withdrawal: 'withdrawal', transfer: 'transfer' } as const;

/** One verdict about many requests: each is a command of its own, so that one that is refused stops no other. */
@Controller()
export class BulkDecisionsController {
  constructor(
    private readonly bus: Bus,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('decideRequests')
  async decide(
    @BodyOf('decideRequests') body: Body,
    @CommandsParam() request: CommandsRequest,
  ): Promise<AnswerOf<'decideRequests'>> {
    const { items, verdict, reason } = body;
    const contextFor = request.contextsFor(items.map(({ key }) => key));
    const contextOf = ({ key, userId, requestId, kind }: Item) => {
      const asked = { kind, requestId, verdict, ...(reason === undefined ? {} : { reason }) };
      return contextFor(key, accountStream(userId), asked, reason);
    };
    const outcomes = await this.carriedOut(body, contextOf);
    const results = items.map((item, n) => this.resultOf(item, outcomes[n], contextOf));
    const answer = summaryOf(body, results, outcomes);
    if (answer.replayed === results.length) request.markReplayed();
    return answer;
  }

  /** Those about one account after each other, in their order; accounts beside each other. */
  private async carriedOut({ items, verdict }: Body, contextOf: ContextOf): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    const send = (item: Item) => {
      const { userId, requestId, kind } = item;
      const context = contextOf(item);
      const named = { kind: kinds[kind], userId, requestId };
      return this.bus.execute(
        verdict === 'confirm' ? new ConfirmRequest(context, named) : new RejectRequest(context, named),
      );
    };
    const byAccount = Map.groupBy(
      items.map((item, place) => ({ item, place })),
      ({ item }) => item.userId,
    );
    const ofOne = async (placed: readonly { readonly item: Item; readonly place: number }[]) => {
      for (const { item, place } of placed) [outcomes[place]] = await Promise.allSettled([send(item)]);
    };
    await Promise.all([...byAccount.values()].map(ofOne));
    return outcomes;
  }

  private resultOf(asked: Item, outcome: Outcome | undefined, contextOf: ContextOf): BulkDecisionResult {
    const { key, userId, requestId } = asked;
    const item = { key, userId, requestId };
    if (outcome?.status === 'fulfilled') {
      const { approvals, position, replayed } = outcome.value;
      const waits = approvals === undefined || approvals === null ? {} : { approvals };
      return { status: 'decided', ...item, replayed, position, ...waits };
    }
    const error: unknown = outcome?.reason;
    const problem = problemOf(error);
    if (problem.status >= 500) logItem(this.settings.logger, error, contextOf(asked));
    return { status: hasCode(error, 'unknown_outcome') ? 'unknown' : 'refused', ...item, problem };
  }
}

const words = { confirm: 'confirmed', reject: 'rejected' } as const;

function summaryOf(
  { verdict }: Body,
  results: readonly BulkDecisionResult[],
  outcomes: readonly Outcome[],
): BulkDecisionsAnswer {
  let position: Position = logStart;
  let [decided, replayed, waiting] = [0, 0, 0];
  for (const one of outcomes) {
    if (one.status === 'rejected') continue;
    if (one.value.approvals === undefined || one.value.approvals === null) decided++;
    else waiting++;
    if (one.value.replayed) replayed++;
    if (comparePositions(one.value.position, position) > 0) position = one.value.position;
  }
  const unknown = results.filter(({ status }) => status === 'unknown').length;
  const message = `${decided} of ${results.length} requests are ${words[verdict]}.`;
  const refused = results.length - decided - unknown - waiting;
  const counts = {
    decided,
    replayed,
    refused,
    ...(unknown === 0 ? {} : { unknown }),
    ...(waiting === 0 ? {} : { waiting }),
  };
  return { position, message, ...counts, results: [...results] };
}
