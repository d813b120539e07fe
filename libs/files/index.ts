export { catalogueLimits, type CatalogueEntry, type FileCatalogue, type FileState } from './catalogue.js';
export { imageLimits, reencode } from './images.js';
export { mediaTypeOf, mediaTypes, SAMPLE_BYTES, type MediaType } from './media-type.js';
export {
  fileLimits,
  type FileContent,
  type FileFacts,
  type FileMetadata,
  type FileOwner,
  type FilePage,
  type FileStore,
} from './port.js';
export { filePurposes, purposeRules, type FilePurpose, type Quota } from './purposes.js';
export { fromSource, receive, type Received } from './receive.js';
export { isTransientStatus, retryLimits, uploadCanceled, withRetries, type RetryOptions } from './retry.js';
export {
  checkQuota,
  fileEmpty,
  fileNotFound,
  fileTooLarge,
  fileTypeRefused,
  isFileId,
  newFileId,
} from './rules.js';
export { mayBeNamed, sweepUnreferenced, UNREFERENCED_MS, type SweepOptions } from './sweep.js';
export { createUploads, uploadLimits, type Uploads } from './uploads.js';
