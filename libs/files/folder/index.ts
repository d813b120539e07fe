export { CATALOG, checkCatalog } from './catalog.js';
export { complaintAbout } from './check.js';
export { openFolderFiles, type FolderFilesOptions } from './store.js';
