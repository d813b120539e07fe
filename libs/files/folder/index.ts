export { checkCatalog } from './catalog.js';
export { openFolderFiles, type FolderFilesOptions } from './store.js';
export { idsOwnedBy } from './owned.js';
