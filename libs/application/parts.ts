import type { AccessAudit } from './access/audit.js';
import type { AdminRights } from './admins/rights.js';
import type { Aggregates } from './aggregates.js';
import type { Ports } from './ports.js';
import type { RegistrationLimit } from './registration/limit.js';
import type { SecurityLog } from './security/log.js';
import type { SettingsInForce } from './settings/in-force.js';

/** What the handlers are made of. */
export type ApplicationParts = Ports & {
  readonly aggregates: Aggregates;
  readonly settings: SettingsInForce;
  readonly accessAudit: AccessAudit;
  readonly registrationLimit: RegistrationLimit;
  readonly admins: AdminRights;
  readonly security: SecurityLog;
};
