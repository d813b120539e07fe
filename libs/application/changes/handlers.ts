import type { ApplicationParts } from '../parts.js';
import { AskForChange, AskForChangeHandler } from './ask.js';
import {
  ApproveChange,
  ApproveChangeHandler,
  MakeApprovedChange,
  MakeApprovedChangeHandler,
  RejectChange,
  RejectChangeHandler,
} from './decide.js';
import { ListChanges, ListChangesHandler } from './list.js';
import { handledBy } from '../message.js';

/** The handlers of what takes a second admin. */
export function changeHandlers(
  parts: Pick<ApplicationParts, 'admins' | 'aggregates' | 'clock' | 'eventStore' | 'readStore' | 'settings'>,
) {
  return [
    handledBy(ApproveChange, new ApproveChangeHandler(parts)),
    handledBy(AskForChange, new AskForChangeHandler(parts)),
    handledBy(ListChanges, new ListChangesHandler(parts)),
    handledBy(MakeApprovedChange, new MakeApprovedChangeHandler(parts)),
    handledBy(RejectChange, new RejectChangeHandler(parts)),
  ];
}
