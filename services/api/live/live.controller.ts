import { Controller, Inject, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import type { LiveChanges, Session } from '#application';
import { metric } from '#kernel';
import { Caller, Req, Res, Route } from '../http/route.js';
import { LOG_SCOPE, type LogScope } from '../http/scope.js';
import { METRICS } from '../operations/health.controller.js';
import { createLiveHub, type LiveHub } from './hub.js';

/** Where Nest keeps the live changes. */
export const LIVE_CHANGES = Symbol('live changes');

/** The live stream. */
@Controller()
export class LiveController implements OnModuleDestroy {
  private readonly hub: LiveHub;

  constructor(
    @Inject(LIVE_CHANGES) live: LiveChanges,
    @Inject(LOG_SCOPE) scope: LogScope,
    @Inject(METRICS) metrics: Registry,
  ) {
    const hub = createLiveHub(live, scope);
    this.hub = hub;
    new Gauge({
      ...metric('lode_live_connections'),
      registers: [metrics],
      collect() {
        this.set(hub.count());
      },
    });
  }

  @Route('live')
  live(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Caller() caller: Session): void {
    const lastEventId = request.headers['last-event-id'];
    if (request.method === 'HEAD') {
      void reply.type('text/event-stream; charset=utf-8').send();
      return;
    }
    const place = typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined;
    this.hub.open(caller, reply.raw, place, reply.getHeaders());
    // Only now: until it is open it can be refused like any other request.
    reply.hijack();
  }

  /** Before the server closes: it would wait for these connections. */
  onModuleDestroy(): void {
    this.hub.close();
  }
}
