export { openFolderFiles, type FolderFilesOptions } from './store.js';
export { idsOwnedBy } from './owned.js';
