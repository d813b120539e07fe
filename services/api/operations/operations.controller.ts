import { Controller, Header, Inject } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { totals, type AccountView } from '#contracts';
import { LodeError } from '#kernel';
import { noTotals, TOTALS_ID, withEverySum, type TotalsDocument } from '#projections';
import type { Document } from '#read-store';
import { ENGINES, type Engines } from '../engines.js';
import { BodyOf, ParamsOf, Route, type AnswerOf } from '../http/route.js';
import { stalledTransfers } from '../processes/stalled.js';

/** Where Nest keeps the metrics. */
export const METRICS = Symbol('metrics');

/** Health, metrics, totals and the state of the read models. */
@Controller()
export class OperationsController {
  // Anybody may ask for these as often as they like.
  private readonly readiness = shared(() => this.lookAround());
  private readonly measured = shared(() => this.metrics.metrics());

  constructor(
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(METRICS) private readonly metrics: Registry,
  ) {}

  @Route('totals')
  async totals(): Promise<AnswerOf<'totals'>> {
    const document = await this.engines.readStore.get<TotalsDocument>('totals', TOTALS_ID);
    return totals.parse(document === undefined ? noTotals : withEverySum(document));
  }

  @Route('projections')
  async projections(): Promise<AnswerOf<'projections'>> {
    return {
      head: await this.engines.eventStore.head(),
      models: (await this.engines.projections.status()).map(
        ({ ordinal: _, eventsBehind: __, ...shown }) => shown,
      ),
    };
  }

  @Route('rebuildModel')
  async rebuild(
    @ParamsOf('rebuildModel') { model }: ParamsOf<'rebuildModel'>,
  ): Promise<AnswerOf<'rebuildModel'>> {
    await this.engines.projections.rebuild(model);
    return { model, state: 'rebuilding' };
  }

  @Route('replayParked')
  async replay(
    @ParamsOf('replayParked') { model }: ParamsOf<'replayParked'>,
    @BodyOf('replayParked') { stream }: BodyOf<'replayParked'>,
  ): Promise<AnswerOf<'replayParked'>> {
    return { model, ...(await this.engines.projections.replay(model, stream)) };
  }

  @Route('healthLive')
  live(): AnswerOf<'healthLive'> {
    return { status: 'ok', checks: {} };
  }

  @Route('healthReady')
  ready(): Promise<AnswerOf<'healthReady'>> {
    return this.readiness();
  }

  @Route('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  text(): Promise<string> {
    return this.measured();
  }

  private async lookAround(): Promise<AnswerOf<'healthReady'>> {
    const head = await this.engines.eventStore.head();
    await this.engines.readStore.get<Document & AccountView>('accounts', 'none');
    const models = await this.engines.projections.status();
    const stalled = models.filter((model) => model.state === 'stalled').map((model) => model.name);
    if (stalled.length > 0) {
      throw new LodeError('unavailable', `Read models have stopped advancing: ${stalled.join(', ')}.`);
    }
    const { processes, readStore, clock } = this.engines;
    const states = (all: readonly { readonly name: string; readonly state: string }[]) =>
      all.map(({ name, state }) => `${name} ${state}`).join(', ');
    const transfers = await stalledTransfers(readStore, clock());
    return {
      status: 'ok',
      checks: {
        log: `at ${head}`,
        projections: states(models),
        reactors: states(processes.reactors()),
        transfers: `${transfers.length} stand still`,
      },
    };
  }
}

/** The same work for all who ask for it while it is under way. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = undefined;
    }));
}
