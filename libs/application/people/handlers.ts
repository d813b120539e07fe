import type { ApplicationParts } from '../parts.js';
import { ChangeProfileHandler, ChangeProfileImageHandler, SaveWalletAddressHandler } from './profile.js';
import { ActivatePersonHandler, SuspendPersonHandler } from './standing.js';

/** The handlers of who people are and whether they may come in. */
export function peopleHandlers(parts: ApplicationParts) {
  return [
    new ActivatePersonHandler(parts),
    new ChangeProfileHandler(parts),
    new ChangeProfileImageHandler(parts),
    new SaveWalletAddressHandler(parts),
    new SuspendPersonHandler(parts),
  ];
}
