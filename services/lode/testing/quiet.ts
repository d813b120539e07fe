import { pino } from 'pino';
import { Registry } from 'prom-client';
import { applicationHandlers, createAccessAudit, createSettingsInForce, noMeter } from '#application';
import { createApi, type ApiSettings, type Engines, type Ledger } from '../../api/index.js';
import { startApplication } from '../application.js';

/** Settings of an API that a test makes by itself: as they come, without pages, and without a word. */
export const quietSettings: ApiSettings = {
  requestsPerMinute: 1_000,
  secure: false,
  proxies: [],
  webFolder: undefined,
  identityToolkit: false,
  identityToolkitOrigins: [],
  logger: pino({ level: 'silent' }),
};

/** An API over engines that a test makes; `engines` and `ledger` hold what the test asks of them and no more. */
export async function quietApi(
  { engines, ledger = {} }: { readonly engines: object; readonly ledger?: object },
  settings: ApiSettings = quietSettings,
) {
  const parts = { engines: engines as Engines, ledger: ledger as Ledger };
  const metrics = new Registry();
  const { bus } = await startApplication(
    applicationHandlers({
      ...parts.engines,
      aggregates: parts.ledger,
      settings: createSettingsInForce(parts.ledger),
      accessAudit: createAccessAudit({
        ...parts.engines,
        aggregates: parts.ledger,
        log: quietSettings.logger,
      }),
    }),
    noMeter,
  );
  return createApi({ ...parts, bus, metrics, settings, version: '0.0.0' });
}
