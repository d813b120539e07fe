import { Controller, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { Bus, CheckHealth, type Authenticate, type SecondFactorDuty } from '#application';
import { createFailureLog, type FailureLog } from '../http/failure-log.js';
import { Req, Res, Route, type AnswerOf } from '../http/route.js';
import { AUTHENTICATE, SECOND_FACTOR_DUTY } from '../http/route.guard.js';
import { SETTINGS, type ApiSettings } from '../settings.js';
import { shared } from './shared.js';
import { createAdmission, type AdmitWatcher } from './watcher.js';

/** Where Nest keeps the metrics. */
export const METRICS = Symbol('metrics');

const UNAVAILABLE = 503;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** How the program is, for whoever watches it: every program answers this, whatever else it does. */
@Controller()
export class HealthController {
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
