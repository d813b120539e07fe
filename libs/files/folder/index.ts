export { CATALOG, checkCatalog } from './catalog.js';
export { complaintAbout, type FileFacts } from './check.js';
export { openFolderFiles, type FolderFilesOptions } from './store.js';
