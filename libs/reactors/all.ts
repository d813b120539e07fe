import { access, type AccessFollowUp } from './access.js';
import { changes, type ChangeFollowUp } from './changes.js';
import { erasure, type ErasureFollowUp } from './erasure.js';
import { mail, type MailFollowUp, type OwnersFollowUp } from './mail.js';
import type { Reactor } from './reactor.js';
import { transfers, type TransferStep } from './transfers.js';

/** The commands that each reactor gives, by its name. */
export type ReactorCommands = {
  readonly transfers: TransferStep;
  readonly access: AccessFollowUp;
  readonly changes: ChangeFollowUp;
  readonly erasure: ErasureFollowUp;
  readonly mail: MailFollowUp | OwnersFollowUp;
};

export type ReactorName = keyof ReactorCommands;

/** Every reactor by its name. */
export const reactors: { readonly [Name in ReactorName]: Reactor<ReactorCommands[Name], Name> } = {
  transfers,
  access,
  changes,
  erasure,
  mail,
};
