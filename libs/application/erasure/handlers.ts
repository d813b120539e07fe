import { EraseAccount, EraseAccountHandler, type OwnersErasureDependencies } from './erase-account.js';
import { ErasePerson, ErasePersonHandler } from './erase-person.js';
import { DeleteFilesOf, DeleteFilesOfHandler } from './files.js';
import { DestroyMessageKey, DestroyMessageKeyHandler } from './message-key.js';
import { handledBy } from '../message.js';

/** The handlers of what is forgotten for ever. */
export function erasureHandlers(
  dependencies: OwnersErasureDependencies & ConstructorParameters<typeof DestroyMessageKeyHandler>[0],
) {
  return [
    handledBy(DeleteFilesOf, new DeleteFilesOfHandler(dependencies)),
    handledBy(DestroyMessageKey, new DestroyMessageKeyHandler(dependencies)),
    handledBy(EraseAccount, new EraseAccountHandler(dependencies)),
    handledBy(ErasePerson, new ErasePersonHandler(dependencies)),
  ];
}
