export { openFolderFiles, type FolderFilesOptions } from './store.js';
