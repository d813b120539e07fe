import { EraseAccountHandler, type OwnersErasureDependencies } from './erase-account.js';
import { ErasePersonHandler } from './erase-person.js';
import { DeleteFilesOfHandler } from './files.js';
import { DestroyMessageKeyHandler } from './message-key.js';

/** The handlers of what is forgotten for ever. */
export function erasureHandlers(
  dependencies: OwnersErasureDependencies & ConstructorParameters<typeof DestroyMessageKeyHandler>[0],
) {
  return [
    new DeleteFilesOfHandler(dependencies),
    new DestroyMessageKeyHandler(dependencies),
    new EraseAccountHandler(dependencies),
    new ErasePersonHandler(dependencies),
  ];
}
