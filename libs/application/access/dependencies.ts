import type { Identity } from '#identity';
import type { Hold } from '#kernel';
import type { AdminRights } from '../admins/rights.js';
import type { Aggregates } from '../aggregates.js';
import type { AccessAudit } from './audit.js';

/** What people's access is decided and changed with. */
export type AccessDependencies = {
  readonly identity: Identity;
  readonly aggregates: Pick<Aggregates, 'access' | 'accounts'>;
  readonly admins: AdminRights;
  readonly accessAudit: AccessAudit;
  /** Why nothing is written just now, because the clock is not accepted. */
  readonly hold: Hold;
};
