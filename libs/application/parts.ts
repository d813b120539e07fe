import type { AccessAudit } from './access/audit.js';
import type { Verification } from './access/verify-email.js';
import type { AdminRights } from './admins/rights.js';
import type { Aggregates } from './aggregates.js';
import type { Mailing } from './mail/mailing.js';
import type { Ports } from './ports.js';
import type { RegistrationLimit } from './registration/limit.js';
import type { SecurityLog } from './security/log.js';
import type { CounterFloors } from './settings/counters.js';
import type { Networks } from './wallet/networks.js';
import type { SettingsInForce } from './settings/in-force.js';

/** What the handlers are made of. */
export type ApplicationParts = Ports & {
  readonly aggregates: Aggregates;
  readonly settings: SettingsInForce;
  readonly accessAudit: AccessAudit;
  readonly registrationLimit: RegistrationLimit;
  readonly admins: AdminRights;
  readonly security: SecurityLog;
  readonly mailing: Mailing;
  /** For how long a change of what guards an account keeps its money from leaving, in milliseconds; 0 for not at all. */
  readonly changeWaitMs: number;
  readonly verification: Verification;
  readonly counterFloors: CounterFloors;
  /** What the addresses of each currency are of. */
  readonly networks: Networks;
};
