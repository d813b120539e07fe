import { accountStream, type LedgerEvent } from '#ledger';
import type { Reactor } from './reactor.js';
import { idIn } from './streams.js';

/** What is left to do once the log says that somebody or something is forgotten; the program knows how each is done. */
export type ErasureFollowUp =
  /** Forgets an admin who is off the list of admins. */
  | { readonly type: 'ErasePerson'; readonly userId: string }
  /** Deletes the files that the person's events name. */
  | { readonly type: 'DeleteFiles'; readonly userId: string }
  /** Destroys the key that a message's words are encrypted with. */
  | { readonly type: 'DestroyKey'; readonly messageId: string };

/**
 * Finishes an erasure that the program died in the middle of: the log says it first, and what it says is done here when
 * nobody else has. A person's credential and key are the access reactor's part.
 */
export const erasure: Reactor<ErasureFollowUp, 'erasure'> = {
  name: 'erasure',
  handles: ['AdminRemoved', 'PersonForgotten', 'MessageForgotten'] satisfies readonly LedgerEvent['type'][],
  keyOf: idIn,
  on: (event) => {
    const { stream } = event;
    const id = idIn(event);
    if (event.type === 'AdminRemoved')
      return [
        { stream: accountStream(id), step: 'erase-person', command: { type: 'ErasePerson', userId: id } },
      ];
    return event.type === 'PersonForgotten'
      ? [{ stream, step: 'delete-files', command: { type: 'DeleteFiles', userId: id } }]
      : [{ stream, step: 'destroy-key', command: { type: 'DestroyKey', messageId: id } }];
  },
};
