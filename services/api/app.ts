import 'reflect-metadata';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import {
  Bus,
  type Authenticate,
  type HeldStreams,
  type LiveChanges,
  type AdminGate,
  type PasswordDuty,
  type SecondFactorDuty,
  type SecurityLog,
} from '#application';
import { BODY_BYTES_MAX, FILE_BYTES_MAX } from '#contracts';
import { systemRandom, type Clock } from '#kernel';
import { AccessController } from './access/access.controller.js';
import { PasskeyController } from './access/passkey.controller.js';
import { SecondFactorController } from './access/second-factor.controller.js';
import { SecurityController } from './access/security.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { BulkController } from './bulk/bulk.controller.js';
import { BulkDecisionsController } from './bulk/decisions.controller.js';
import { serveDocs } from './docs/serve.js';
import { FilesController } from './files/files.controller.js';
import { finishAnswers } from './http/answers.js';
import { limitBodies } from './http/body-limits.js';
import { Downloads } from './http/downloads.js';
import { createFailureLog, type FailureLog } from './http/failure-log.js';
import { limitConnections, LOOK_MS } from './http/connections.js';
import { refuseEncodings } from './http/encodings.js';
import { HELD_STREAMS } from './http/held.js';
import { readJson } from './http/json.js';
import { Lists } from './http/lists.js';
import { tellLocations } from './http/location.js';
import { tellMethods } from './http/methods.js';
import { ProblemFilter, refuseConnection, refuseHostless, sendProblem } from './http/problem.filter.js';
import { createRefusalLog, type RefusalLog } from './http/refusal-log.js';
import { limitRequests } from './http/rate-limits.js';
import { REQUEST_ID, requestIds } from './http/request-id.js';
import {
  ADMIN_GATE,
  AUTHENTICATE,
  PASSWORD_DUTY,
  RouteGuard,
  SECOND_FACTOR_DUTY,
} from './http/route.guard.js';
import { serveRoutes } from './http/serve.js';
import { createLogScope, LOG_SCOPE, tellPositions, type LogScope } from './http/scope.js';
import { traceRequests } from './http/traces.js';
import { wordsOf } from './http/words.js';
import { LIVE_CHANGES, LiveController } from './live/live.controller.js';
import { MailController } from './mail/mail.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { watchApi } from './operations/metrics.js';
import { serveIdentityToolkit } from './identity-toolkit/index.js';
import { HealthController, METRICS } from './operations/health.controller.js';
import { OperationsController } from './operations/operations.controller.js';
import { servePages } from './pages/pages.js';
import { ProcessesController } from './processes/processes.controller.js';
import { FundingController } from './requests/funding.controller.js';
import { ApprovalsController } from './requests/approvals.controller.js';
import { ChangesController } from './requests/changes.controller.js';
import { ProductsController } from './products/products.controller.js';
import { RequestsController } from './requests/requests.controller.js';
import { DecisionsController } from './requests/decisions.controller.js';
import { WithdrawalsController } from './requests/withdrawals.controller.js';
import { SETTINGS, type ApiSettings } from './settings.js';
import { SettingsController } from './settings/settings.controller.js';
import { SumsController } from './sums/sums.controller.js';
import { OwnAccountController } from './people/own-account.controller.js';
import { PeopleController } from './people/people.controller.js';
import { TransactionsController } from './transactions/transactions.controller.js';
import { TransfersController } from './transfers/transfers.controller.js';
import { WalletController } from './wallet/wallet.controller.js';

/** What the API is made of, beside the bus. */
export type ApiParts = {
  /** Modules that bring the bus, and what must run before the API does and longer. */
  readonly imports: readonly DynamicModule[];
  readonly authenticate: Authenticate;
  readonly mustSetUpSecondFactor: SecondFactorDuty;
  readonly mustChoosePassword: PasswordDuty;
  readonly adminGate: AdminGate;
  /** Closed with the API. */
  readonly live: LiveChanges;
  /** Tells which answers are from before an event that can't be read. */
  readonly held: HeldStreams;
  readonly clock: Clock;
  /** Hears of what was refused. */
  readonly security: Pick<SecurityLog, 'refused'>;
  /** The log that positions and cursors are of. */
  readonly logId: string;
  /** What is measured of the program; the API adds its own and shows them all. */
  readonly metrics: Registry;
  readonly settings: ApiSettings;
};

/** Where Nest keeps what writes failures down. */
const FAILURES = Symbol('failures');
/** Where Nest keeps what notes refusals. */
const REFUSALS = Symbol('refusals');
/** Where Nest keeps the clock. */
const CLOCK = Symbol('clock');

/** A request that has not arrived whole by then never will; milliseconds. The largest file takes this long at 0.7 Mbit/s. */
const REQUEST_MS = 120_000;

/** For a year the browser asks for nothing of this host in the clear. */
const STAY_SECURE = 'max-age=31536000';

/** One file a form, and nothing else: the file's other facts are told from its content. */
const FORM_LIMITS = { files: 1, fields: 0, parts: 1, fileSize: FILE_BYTES_MAX + 1 };

/** Whose methods answer the routes of the contract. */
const CONTROLLERS = [
  AccessController,
  PeopleController,
  OwnAccountController,
  PasskeyController,
  SecondFactorController,
  SecurityController,
  WalletController,
  BulkController,
  BulkDecisionsController,
  RequestsController,
  FundingController,
  DecisionsController,
  ApprovalsController,
  ChangesController,
  WithdrawalsController,
  TransfersController,
  TransactionsController,
  AuditController,
  FilesController,
  ProductsController,
  SettingsController,
  MailController,
  MessagesController,
  OperationsController,
  HealthController,
  ProcessesController,
  SumsController,
  LiveController,
];

/** Of the routes those that a program answers. */
function controllersOf({ routes }: ApiSettings): readonly Type<object>[] {
  return routes === 'all' ? CONTROLLERS : [HealthController];
}

/** HTTP: every route, or those that tell how the program is, in front of the bus. */
@Module({})
export class ApiModule {
  static with({
    imports,
    authenticate,
    mustSetUpSecondFactor,
    mustChoosePassword,
    adminGate,
    live,
    held,
    clock,
    security,
    logId,
    metrics,
    settings,
  }: ApiParts): DynamicModule {
    const failures = createFailureLog(settings.logger);
    const refusals = createRefusalLog(security);
    return {
      module: ApiModule,
      imports: [...imports],
      controllers: [...controllersOf(settings)],
      providers: [
        Downloads,
        Lists,
        { provide: AUTHENTICATE, useValue: authenticate },
        { provide: SECOND_FACTOR_DUTY, useValue: mustSetUpSecondFactor },
        { provide: PASSWORD_DUTY, useValue: mustChoosePassword },
        { provide: ADMIN_GATE, useValue: adminGate },
        { provide: LIVE_CHANGES, useValue: live },
        { provide: HELD_STREAMS, useValue: held },
        { provide: CLOCK, useValue: clock },
        { provide: LOG_SCOPE, useValue: createLogScope(logId) },
        { provide: SETTINGS, useValue: settings },
        { provide: METRICS, useValue: metrics },
        RouteGuard,
        { provide: FAILURES, useValue: failures },
        { provide: REFUSALS, useValue: refusals },
        { provide: ProblemFilter, useValue: new ProblemFilter(failures, refusals) },
        { provide: APP_FILTER, useExisting: ProblemFilter },
      ],
    };
  }
}

/** What every answer says; pages and files say more of how long they may be kept. */
function usualHeaders({ secure }: ApiSettings): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(secure ? { 'Strict-Transport-Security': STAY_SECURE } : {}),
  };
}

/** No route gives Fastify a schema, since the contract's own are gone by: what compiles them needn't be loaded. */
function compileNone(): never {
  throw new Error('no route has a schema of Fastify');
}

function adapterFor(settings: ApiSettings): FastifyAdapter {
  const { proxies, logger, connections } = settings;
  const failures = createFailureLog(logger);
  return new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    schemaController: { compilersFactory: { buildValidator: compileNone, buildSerializer: compileNone } },
    genReqId: requestIds(systemRandom),
    trustProxy: proxies.length === 0 ? false : [...proxies],
    // No hook runs for an address that can't be read.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(
        error,
        request,
        reply.headers({ ...usualHeaders(settings), [REQUEST_ID]: request.id }),
        failures,
      ),
    clientErrorHandler: refuseConnection,
    // Node would answer with an empty 400; `refuseHostless` says why.
    http: {
      requireHostHeader: false,
      headersTimeout: connections.headMs,
      connectionsCheckingInterval: LOOK_MS,
    },
    requestTimeout: REQUEST_MS,
    // A request that comes while the server stops is answered like every other, and its connection is closed after it.
    return503OnClosing: false,
  });
}

/** The application of a module that holds an `ApiModule`, made and not started: its `init` makes it ready to listen. */
export async function createApi(
  module: DynamicModule,
  settings: ApiSettings,
  version: string,
): Promise<NestFastifyApplication> {
  z.config({ localeError: wordsOf });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapterFor(settings), {
    logger: false,
    abortOnError: false,
    // Nest's own would take forms that any other site's page can send.
    bodyParser: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  limitBodies(fastify);
  watchApi(app.get<Registry>(METRICS), app.get(Bus), fastify);
  limitConnections(fastify.server, settings.connections, settings.proxies, app.get<Registry>(METRICS));
  const headers = Object.entries(usualHeaders(settings));
  fastify.addHook('onRequest', ({ id }, reply, done) => {
    for (const [name, value] of headers) void reply.header(name, value);
    void reply.header(REQUEST_ID, id);
    done();
  });
  if (settings.tracer !== undefined) traceRequests(fastify, settings.tracer);
  tellPositions(fastify, app.get<LogScope>(LOG_SCOPE));
  tellLocations(fastify);
  finishAnswers(fastify);
  fastify.addHook('onRequest', refuseHostless);
  tellMethods(fastify);
  refuseEncodings(fastify);
  fastify.removeContentTypeParser('text/plain');
  readJson(fastify, 'refused');
  await app.register(fastifyCookie);
  await app.register(fastifyMultipart, { limits: FORM_LIMITS });
  await limitRequests(fastify, settings.requestsPerMinute);
  if (settings.routes === 'all') await serveOthers(app, settings, version);
  serveRoutes(app, controllersOf(settings));
  const { webFolder: folder, publicUrl, linkWay } = settings;
  if (folder !== undefined) await servePages(fastify, { folder, publicUrl, linkWay, bus: app.get(Bus) });
  return app;
}

/** What is served beside the routes of the contract: its documentation, and clients of Google's Identity Toolkit. */
async function serveOthers(
  app: NestFastifyApplication,
  settings: ApiSettings,
  version: string,
): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  await serveDocs(fastify, version);
  if (settings.identityToolkit) {
    const { identityToolkitOrigins: origins } = settings;
    const [failures, refusals] = [app.get<FailureLog>(FAILURES), app.get<RefusalLog>(REFUSALS)];
    const toolkit = {
      bus: app.get(Bus),
      authenticate: app.get<Authenticate>(AUTHENTICATE),
      mustSetUpSecondFactor: app.get<SecondFactorDuty>(SECOND_FACTOR_DUTY),
      clock: app.get<Clock>(CLOCK),
    };
    await serveIdentityToolkit(fastify, toolkit, { origins, failures, refusals });
  }
}
