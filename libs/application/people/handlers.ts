import { ListAdminsHandler } from '../admins/duties.js';
import type { ApplicationParts } from '../parts.js';
import { ListPeopleHandler } from './list.js';
import { AskForOwnDataHandler } from './own-data.js';
import { AddNoteHandler, ListNotesHandler } from './notes.js';
import { ChangeProfileHandler, ChangeProfileImageHandler, ReadNotificationsHandler } from './profile.js';
import { CancelWalletAddressHandler, SaveWalletAddressHandler } from './wallet-address.js';
import { ActivatePersonHandler, SuspendPersonHandler } from './suspension.js';

/** The handlers of who people are and whether they may come in. */
export function peopleHandlers(
  parts: Pick<
    ApplicationParts,
    | 'aggregates'
    | 'admins'
    | 'accessAudit'
    | 'readStore'
    | 'identity'
    | 'files'
    | 'clock'
    | 'changeWaitMs'
    | 'networks'
    | 'eventStore'
    | 'security'
    | 'hold'
    | 'projections'
  >,
) {
  return [
    new ActivatePersonHandler(parts),
    new AddNoteHandler(parts),
    new ListNotesHandler(parts),
    new AskForOwnDataHandler(parts),
    new CancelWalletAddressHandler(parts),
    new ChangeProfileHandler(parts),
    new ChangeProfileImageHandler(parts),
    new ListAdminsHandler(parts),
    new ListPeopleHandler(parts),
    new ReadNotificationsHandler(parts),
    new SaveWalletAddressHandler(parts),
    new SuspendPersonHandler(parts),
  ];
}
