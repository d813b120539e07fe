import { pino } from 'pino';
import { Registry } from 'prom-client';
import {
  applicationHandlers,
  createAccessAudit,
  createAdminRights,
  createLiveChanges,
  createRegistrationLimit,
  createSettingsInForce,
  noMeter,
  type Aggregates,
  type Ports,
  type SecurityLog,
} from '#application';
import type { OpenOutcomes } from '#commands';
import { localBuckets } from '#identity';
import { logStart, noHold, systemClock } from '#kernel';
import { perPaymentCurrency } from '#ledger';
import { ApiModule, ApplicationModule, createApi, type ApiSettings } from '../../api/index.js';

/** Settings of an API that a test makes by itself: as they come, without pages, and without a word. */
export const quietSettings: ApiSettings = {
  routes: 'all',
  requestsPerMinute: 1_000,
  connections: { most: 10_000, perNetwork: 10_000, headMs: 10_000, ownDescriptors: 384 },
  secure: false,
  proxies: [],
  webFolder: undefined,
  linkWay: 'mail',
  publicUrl: 'https://lode.example',
  identityToolkit: false,
  identityToolkitOrigins: [],
  watchToken: undefined,
  logger: pino({ level: 'silent' }),
};

/** More than any test asks for. */
const QUIET_REGISTRATIONS = 1_000;

/** The id of the log that the API's positions are of. */
export const QUIET_LOG = '0badcafe-0000-4000-8000-000000000000';

/** An API over ports that a test makes; `ports` and `aggregates` hold what the test asks of them and no more. */
export async function quietApi(
  given: { readonly ports: object; readonly aggregates?: object; readonly outcomes?: OpenOutcomes },
  settings: ApiSettings = quietSettings,
) {
  const clockState = () => ({ isAccepted: true, wall: systemClock(), reference: systemClock(), accepted: 0 });
  const projections = { waitFor: async () => true };
  const held: { readonly identity?: object } = given.ports;
  const identity = { bucketsOf: localBuckets(systemClock), ...held.identity };
  const ports = { hold: noHold, clockState, projections, ...held, identity } as unknown as Ports;
  const aggregates = (given.aggregates ?? {}) as Aggregates;
  const security: SecurityLog = {
    refused: () => undefined,
    given: async () => logStart,
    givenByCommand: async () => undefined,
    counts: () => [],
  };
  const application = ApplicationModule.with(
    applicationHandlers({
      ...ports,
      aggregates,
      registrationLimit: createRegistrationLimit(systemClock, QUIET_REGISTRATIONS),
      settings: createSettingsInForce(aggregates),
      admins: createAdminRights({ ...ports, aggregates }),
      security,
      changeWaitMs: 0,
      networks: perPaymentCurrency(() => 'none' as const),
      mailing: {
        sendLink: async () => ({ kind: 'queued', expiresAt: 0 }),
        sendNotice: async () => undefined,
        sendFarewell: async () => undefined,
        notSent: () => undefined,
        pretendLink: async () => undefined,
        sendDue: async () => ({ sent: 0, failed: 0, refused: 0 }),
        stop: async () => undefined,
      },
      verification: { mayNot: [] },
      counterFloors: { clients: 1, years: 1, requestsPaid: 1 },
      accessAudit: createAccessAudit({ ...ports, aggregates, log: quietSettings.logger }),
    }),
    { meter: noMeter, mayAnswer: async () => undefined, outcomes: given.outcomes },
  );
  const module = ApiModule.with({
    imports: [application],
    authenticate: (token, how) => ports.identity.sessions.authenticate(token, how),
    mustSetUpSecondFactor: () => false,
    mustChoosePassword: () => false,
    adminGate: {
      requireLatest: async () => undefined,
      requireDuty: () => undefined,
      requireFreshProof: async () => undefined,
      isAdmin: async () => false,
      dutyOf: () => 'owner',
    },
    live: createLiveChanges(ports.projections, (session) => ports.identity.sessions.isAlive(session)),
    held: { holds: () => false },
    clock: systemClock,
    security,
    logId: QUIET_LOG,
    metrics: new Registry(),
    settings,
  });
  return (await createApi(module, settings, '0.0.0')).init();
}
