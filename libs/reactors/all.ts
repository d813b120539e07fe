import { access, type AccessFollowUp } from './access.js';
import { erasure, type ErasureFollowUp } from './erasure.js';
import { mail, type MailFollowUp } from './mail.js';
import type { Reactor } from './reactor.js';
import { transfers, type TransferStep } from './transfers.js';

/** The commands that each reactor gives, by its name. */
export type ReactorCommands = {
  readonly transfers: TransferStep;
  readonly access: AccessFollowUp;
  readonly erasure: ErasureFollowUp;
  readonly mail: MailFollowUp;
};

export type ReactorName = keyof ReactorCommands;

/** Every reactor by its name. */
export const reactors: { readonly [Name in ReactorName]: Reactor<ReactorCommands[Name], Name> } = {
  transfers,
  access,
  erasure,
  mail,
};
