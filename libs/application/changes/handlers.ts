import type { ApplicationParts } from '../parts.js';
import { AskForChangeHandler } from './ask.js';
import { ApproveChangeHandler, MakeApprovedChangeHandler, RejectChangeHandler } from './decide.js';
import { ListChangesHandler } from './list.js';

/** The handlers of what takes a second admin. */
export function changeHandlers(
  parts: Pick<ApplicationParts, 'admins' | 'aggregates' | 'clock' | 'eventStore' | 'readStore' | 'settings'>,
) {
  return [
    new ApproveChangeHandler(parts),
    new AskForChangeHandler(parts),
    new ListChangesHandler(parts),
    new MakeApprovedChangeHandler(parts),
    new RejectChangeHandler(parts),
  ];
}
