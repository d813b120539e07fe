import type { ApplicationParts } from '../parts.js';
import { ListMailsHandler } from './list.js';
import { NotifyOwnersHandler } from './notify-owners.js';
import { NotifyPersonHandler } from './notify.js';
import { SendMailsHandler } from './send.js';

/** The handlers of mails. */
export function mailHandlers(
  parts: Pick<ApplicationParts, 'admins' | 'eventStore' | 'identity' | 'aggregates' | 'mailing' | 'clock'>,
) {
  return [
    new ListMailsHandler(parts),
    new NotifyOwnersHandler(parts),
    new NotifyPersonHandler(parts),
    new SendMailsHandler(parts),
  ];
}
