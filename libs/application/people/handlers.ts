import { ListAdmins, ListAdminsHandler } from '../admins/duties.js';
import type { ApplicationParts } from '../parts.js';
import { ListPeople, ListPeopleHandler } from './list.js';
import { AskForOwnData, AskForOwnDataHandler } from './own-data.js';
import { AddNote, AddNoteHandler, ListNotes, ListNotesHandler } from './notes.js';
import {
  ChangeProfile,
  ChangeProfileHandler,
  ChangeProfileImage,
  ChangeProfileImageHandler,
  ReadNotifications,
  ReadNotificationsHandler,
} from './profile.js';
import {
  CancelWalletAddress,
  CancelWalletAddressHandler,
  SaveWalletAddress,
  SaveWalletAddressHandler,
} from './wallet-address.js';
import { ActivatePerson, ActivatePersonHandler, SuspendPerson, SuspendPersonHandler } from './suspension.js';
import { handledBy } from '../message.js';

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
    handledBy(ActivatePerson, new ActivatePersonHandler(parts)),
    handledBy(AddNote, new AddNoteHandler(parts)),
    handledBy(ListNotes, new ListNotesHandler(parts)),
    handledBy(AskForOwnData, new AskForOwnDataHandler(parts)),
    handledBy(CancelWalletAddress, new CancelWalletAddressHandler(parts)),
    handledBy(ChangeProfile, new ChangeProfileHandler(parts)),
    handledBy(ChangeProfileImage, new ChangeProfileImageHandler(parts)),
    handledBy(ListAdmins, new ListAdminsHandler(parts)),
    handledBy(ListPeople, new ListPeopleHandler(parts)),
    handledBy(ReadNotifications, new ReadNotificationsHandler(parts)),
    handledBy(SaveWalletAddress, new SaveWalletAddressHandler(parts)),
    handledBy(SuspendPerson, new SuspendPersonHandler(parts)),
  ];
}
