import 'reflect-metadata';
import { Module, StandardSchemaValidationPipe, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import fastifyRateLimit from '@fastify/rate-limit';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { applicationHandlers, busProvider, InvalidInput, watchSettings, type Handler } from '#application';
import { BODY_BYTES_MAX, FILE_BYTES_MAX } from '#contracts';
import { networkOf } from '#identity';
import { LodeError, systemMonotonic, systemTimers } from '#kernel';
import { AccessController } from './access/access.controller.js';
import { createEntrance, ENTRANCE, type Entrance } from './access/entrance.js';
import { SecurityController } from './access/security.controller.js';
import { reconcileAccess } from './access/standing.js';
import { createTrail, TRAIL_OF_ACCESS, type Trail } from './access/trail.js';
import { AuditController } from './audit/audit.controller.js';
import { BulkController } from './bulk/bulk.controller.js';
import { LEDGER, type Ledger } from './commands/ledger.js';
import { serveDocs } from './docs/serve.js';
import { ENGINES, type Engines } from './engines.js';
import { FilesController } from './files/files.controller.js';
import { limitBodies } from './http/body-limits.js';
import { Lists } from './http/lists.js';
import { ProblemFilter, refuseConnection, refuseHostless, sendProblem } from './http/problem.filter.js';
import { RouteGuard } from './http/route.guard.js';
import { wordsOf } from './http/words.js';
import { LiveController } from './live/live.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { createBusMeter, watchApi } from './operations/metrics.js';
import { serveIdentityToolkit } from './identity-toolkit/index.js';
import { METRICS, OperationsController } from './operations/operations.controller.js';
import { servePages } from './pages/pages.js';
import { ProcessesController } from './processes/processes.controller.js';
import { FundingController } from './requests/funding.controller.js';
import { ProductsController } from './products/products.controller.js';
import { DecisionsController } from './requests/decisions.controller.js';
import { WithdrawalsController } from './requests/withdrawals.controller.js';
import { SETTINGS, type ApiSettings } from './settings.js';
import { ACCOUNT_HISTORY, createAccountHistory } from './wallet/history.js';
import { SettingsController } from './settings/settings.controller.js';
import { PeopleController } from './people/people.controller.js';
import { TransactionsController } from './transactions/transactions.controller.js';
import { TransfersController } from './transfers/transfers.controller.js';
import { WalletController } from './wallet/wallet.controller.js';

/** What the API is made of. */
export type ApiParts = {
  readonly engines: Engines;
  readonly ledger: Ledger;
  readonly settings: ApiSettings;
  readonly version: string;
};

/** A request that has not arrived whole by then never will; milliseconds. The largest file takes this long at 0.7 Mbit/s. */
const REQUEST_MS = 120_000;

/** For a year the browser asks for nothing of this host in the clear. */
const STAY_SECURE = 'max-age=31536000';

/** One file a form, and nothing else: the file's other facts are told from its content. */
const FORM_LIMITS = { files: 1, fields: 0, parts: 1, fileSize: FILE_BYTES_MAX + 1 };

/** What the API makes of its parts for itself. */
type OwnParts = {
  readonly metrics: Registry;
  readonly trail: Trail;
  readonly entrance: Entrance;
  readonly handlers: readonly Handler[];
};

@Module({})
class ApiModule {
  static with({ engines, ledger, settings }: ApiParts, own: OwnParts): DynamicModule {
    const invalid = (issues: readonly { readonly message: string; readonly path?: unknown }[]) =>
      new InvalidInput(issues.map(({ message, path }) => ({ message, path: pathOf(path) })));
    return {
      module: ApiModule,
      imports: [CqrsModule.forRoot()],
      controllers: [
        AccessController,
        PeopleController,
        SecurityController,
        WalletController,
        BulkController,
        FundingController,
        DecisionsController,
        WithdrawalsController,
        TransfersController,
        TransactionsController,
        AuditController,
        FilesController,
        ProductsController,
        SettingsController,
        MessagesController,
        OperationsController,
        ProcessesController,
        LiveController,
      ],
      providers: [
        // By factory: Nest then looks for a handler's decorator on the instance, and injects nothing into it.
        ...own.handlers.map((handler) => ({
          provide: handler.constructor,
          inject: [],
          useFactory: () => handler,
        })),
        busProvider(createBusMeter(own.metrics)),
        Lists,
        { provide: ENGINES, useValue: engines },
        { provide: LEDGER, useValue: ledger },
        { provide: ACCOUNT_HISTORY, useValue: createAccountHistory(engines) },
        { provide: SETTINGS, useValue: settings },
        { provide: TRAIL_OF_ACCESS, useValue: own.trail },
        { provide: ENTRANCE, useValue: own.entrance },
        { provide: METRICS, useValue: own.metrics },
        { provide: APP_GUARD, useClass: RouteGuard },
        { provide: APP_PIPE, useValue: new StandardSchemaValidationPipe({ exceptionFactory: invalid }) },
        { provide: APP_FILTER, useValue: new ProblemFilter(settings.logger) },
      ],
    };
  }
}

/** The path of an issue as text; a standard schema's path holds keys and objects with a key. */
function pathOf(path: unknown): string {
  if (!Array.isArray(path)) return '';
  return path
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'key' in part ? String(part.key) : String(part),
    )
    .join('.');
}

/** The application's handlers, with settings that are kept up until it is stopped. */
function applicationOver({ engines, ledger }: ApiParts, trail: Trail) {
  const { eventStore, identity } = engines;
  const settings = watchSettings({
    aggregates: ledger,
    eventStore,
    monotonic: systemMonotonic,
    timers: systemTimers,
  });
  const handlers = applicationHandlers({
    ...engines,
    aggregates: ledger,
    settings,
    reconcileAccess: (userId) => reconcileAccess({ identity, ledger, trail }, userId),
  });
  return { handlers, stop: settings.stop };
}

/** The API over its engines, ready to listen. */
export async function createApi(parts: ApiParts): Promise<NestFastifyApplication> {
  const { engines, ledger, settings, version } = parts;
  const { identity } = engines;
  z.config({ localeError: wordsOf });
  const metrics = new Registry();
  const trail = createTrail({ identity, ledger, logger: settings.logger });
  const entrance = createEntrance({ identity, ledger, trail });
  const application = applicationOver(parts, trail);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: settings.proxies.length === 0 ? false : [...settings.proxies],
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(error, request, reply, settings.logger),
    clientErrorHandler: refuseConnection,
    // Node would answer with an empty 400; `refuseHostless` says why.
    http: { requireHostHeader: false },
    requestTimeout: REQUEST_MS,
    // A request that comes while the server stops is answered like every other, and its connection is closed after it.
    return503OnClosing: false,
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.with(parts, { metrics, trail, entrance, handlers: application.handlers }),
    adapter,
    {
      logger: false,
      // Nest's own would take forms that any other site's page can send.
      bodyParser: false,
    },
  );
  const fastify = app.getHttpAdapter().getInstance();
  limitBodies(fastify);
  fastify.addHook('onClose', (_, done) => {
    application.stop();
    done();
  });
  watchApi(metrics, engines, fastify);
  const headers = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(settings.secure ? { 'Strict-Transport-Security': STAY_SECURE } : {}),
  };
  fastify.addHook('onRequest', (_, reply, done) => {
    void reply.headers(headers);
    done();
  });
  fastify.addHook('onRequest', refuseHostless);
  fastify.removeContentTypeParser('text/plain');
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients name the type where there is nothing to send.
    if (body === '') done(null, undefined);
    else void parseJson(request, String(body), done);
  });
  await app.register(fastifyCookie);
  await app.register(fastifyMultipart, { limits: FORM_LIMITS });
  await app.register(fastifyRateLimit, {
    max: settings.requestsPerMinute,
    keyGenerator: (request) => networkOf(request.ip),
    timeWindow: '1 minute',
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    errorResponseBuilder: (_, { ttl }) =>
      new LodeError('rate_limited', 'Too many requests. Wait a little and try again.', {
        retryAfterSeconds: ttl / 1_000,
      }),
  });
  await serveDocs(fastify, version);
  if (settings.identityToolkit) {
    const { identityToolkitOrigins: origins, logger } = settings;
    await serveIdentityToolkit(fastify, { engines, ledger, trail, entrance }, { origins, logger });
  }
  if (settings.webFolder !== undefined) await servePages(fastify, settings.webFolder);
  await app.init();
  return app;
}
