import type { MessageView } from '#contracts';
import type { Columns } from '../http/csv.js';

/** A message as a line of a file. */
export const messageColumns: Columns<MessageView> = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => created],
  ['isRead', ({ isRead }) => isRead],
  ['userId', ({ userId }) => userId],
  ['name', ({ name }) => name],
  ['email', ({ email }) => email],
  ['phone', ({ phone }) => phone],
  ['businessType', ({ businessType }) => businessType],
  ['subject', ({ subject }) => subject],
  ['message', ({ message }) => message],
];
