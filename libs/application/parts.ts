import type { Aggregates } from './aggregates.js';
import type { Ports } from './ports.js';
import type { SettingsInForce } from './settings/in-force.js';

/** What the handlers are made of. */
export type ApplicationParts = Ports & {
  readonly aggregates: Aggregates;
  readonly settings: SettingsInForce;
  /** Brings a person's access in line with what the log says of the account; may be repeated. */
  readonly reconcileAccess: (userId: string) => Promise<void>;
};
