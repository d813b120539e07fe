import type { ApplicationParts } from '../parts.js';
import { ListMails, ListMailsHandler } from './list.js';
import { NotifyOwners, NotifyOwnersHandler } from './notify-owners.js';
import { NotifyPerson, NotifyPersonHandler } from './notify.js';
import { SendMails, SendMailsHandler } from './send.js';
import { handledBy } from '../message.js';

/** The handlers of mails. */
export function mailHandlers(
  parts: Pick<ApplicationParts, 'admins' | 'eventStore' | 'identity' | 'aggregates' | 'mailing' | 'clock'>,
) {
  return [
    handledBy(ListMails, new ListMailsHandler(parts)),
    handledBy(NotifyOwners, new NotifyOwnersHandler(parts)),
    handledBy(NotifyPerson, new NotifyPersonHandler(parts)),
    handledBy(SendMails, new SendMailsHandler(parts)),
  ];
}
