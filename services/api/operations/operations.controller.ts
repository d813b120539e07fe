import { Controller, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import {
  Bus,
  CancelRebuild,
  CheckHealth,
  DiscardParkedEvent,
  GetClock,
  GetTotals,
  ListParkedEvents,
  ListReadModels,
  RebuildReadModel,
  ReplayParkedEvents,
  sessionContext,
  type Authenticate,
  type SecondFactorDuty,
  type Session,
} from '#application';
import { createFailureLog, type FailureLog } from '../http/failure-log.js';
import { BodyOf, Caller, ParamsOf, QueryOf, Req, Res, Route, type AnswerOf } from '../http/route.js';
import { AUTHENTICATE, SECOND_FACTOR_DUTY } from '../http/route.guard.js';
import { SETTINGS, type ApiSettings } from '../settings.js';
import { shared } from './shared.js';
import { createAdmission, type AdmitWatcher } from './watcher.js';

/** Where Nest keeps the metrics. */
export const METRICS = Symbol('metrics');

const UNAVAILABLE = 503;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Health, metrics, totals and the state of the read models. */
@Controller()
export class OperationsController {
  // Anybody may ask for these as often as they like.
  private readonly readiness = shared(() => this.bus.query(new CheckHealth()));
  private readonly measured = shared(() => this.metrics.metrics());

  private readonly admit: AdmitWatcher;
  private readonly failureLog: FailureLog;

  constructor(
    private readonly bus: Bus,
    @Inject(METRICS) private readonly metrics: Registry,
    @Inject(AUTHENTICATE) authenticate: Authenticate,
    @Inject(SECOND_FACTOR_DUTY) mustSetUp: SecondFactorDuty,
    @Inject(SETTINGS) settings: ApiSettings,
  ) {
    this.admit = createAdmission(settings, authenticate, mustSetUp);
    this.failureLog = createFailureLog(settings.logger);
  }

  @Route('totals')
  totals(): Promise<AnswerOf<'totals'>> {
    return this.bus.query(new GetTotals());
  }

  @Route('clock')
  async clock(): Promise<AnswerOf<'clock'>> {
    const { isAccepted, clock, known } = await this.bus.query(new GetClock());
    return { accepted: isAccepted, clock, known };
  }

  @Route('projections')
  projections(): Promise<AnswerOf<'projections'>> {
    return this.bus.query(new ListReadModels());
  }

  @Route('rebuildModel')
  async rebuild(
    @ParamsOf('rebuildModel') { model }: ParamsOf<'rebuildModel'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'rebuildModel'>> {
    await this.bus.execute(new RebuildReadModel(sessionContext(caller), model));
    return { model, state: 'rebuilding' };
  }

  @Route('cancelRebuild')
  async cancelRebuild(
    @ParamsOf('cancelRebuild') { model }: ParamsOf<'cancelRebuild'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'cancelRebuild'>> {
    const command = new CancelRebuild(sessionContext(caller), model);
    return { model, cancelled: await this.bus.execute(command) };
  }

  @Route('parkedEvents')
  parked(
    @ParamsOf('parkedEvents') { model }: ParamsOf<'parkedEvents'>,
    @QueryOf('parkedEvents') page: QueryOf<'parkedEvents'>,
  ): Promise<AnswerOf<'parkedEvents'>> {
    return this.bus.query(new ListParkedEvents(model, page));
  }

  @Route('discardParked')
  async discard(
    @ParamsOf('discardParked') { model }: ParamsOf<'discardParked'>,
    @BodyOf('discardParked') { eventId, reason }: BodyOf<'discardParked'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'discardParked'>> {
    const command = new DiscardParkedEvent(sessionContext(caller), model, eventId, reason);
    return { model, ...(await this.bus.execute(command)) };
  }

  @Route('replayParked')
  async replay(
    @ParamsOf('replayParked') { model }: ParamsOf<'replayParked'>,
    @BodyOf('replayParked') { stream }: BodyOf<'replayParked'>,
    @Caller() caller: Session,
  ): Promise<AnswerOf<'replayParked'>> {
    const command = new ReplayParkedEvents(sessionContext(caller), model, stream);
    return { model, ...(await this.bus.execute(command)) };
  }

  @Route('healthLive')
  live(): AnswerOf<'healthLive'> {
    return { status: 'ok', checks: {} };
  }

  @Route('healthReady')
  async ready(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'healthReady'>> {
    const { status, checks, states, failures } = await this.readiness();
    for (const failure of failures) this.failureLog(failure, request);
    const isAdmitted = await this.admit(request).then(
      () => true,
      () => false,
    );
    if (status === 'unavailable') void reply.status(UNAVAILABLE).header('Retry-After', '1');
    return { status, checks: isAdmitted ? checks : states };
  }

  @Route('metrics')
  async text(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    await this.admit(request);
    void reply.header('Content-Type', METRICS_TYPE);
    return this.measured();
  }
}
