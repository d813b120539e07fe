import type { Decider } from '#kernel';
import { decide, type SettingsCommand } from './decide.js';
import { settingsCodecs } from './codecs.js';
import type { SettingsEvent } from './events.js';
import { defaultSettings, evolve, type Settings } from './state.js';

/** What admins set for the whole platform: prices, dollar rate, bonus policy, deposit addresses, the site's texts, what admins need. */
export const settingsDecider: Decider<SettingsCommand, SettingsEvent, Settings> = {
  initial: defaultSettings,
  decide,
  evolve,
  codecs: settingsCodecs,
};

/** The stream of the settings. */
export const settingsStream = 'settings-global';

export { BONUS_POLICY_LIMITS, BONUS_RATE } from './bonus.js';
export { CONTENT_BYTES_MAX, PRICE_LIMITS, RATE_LIMITS, type SettingsCommand } from './decide.js';
export {
  depositFields,
  type AdminAccess,
  type ContentSections,
  type DepositChanges,
  type DepositDetails,
  type DepositField,
  type SettingsEvent,
} from './events.js';
export type { Settings } from './state.js';
