export {
  catalogueLimits,
  type CatalogueEntry,
  type FileCatalogue,
  type FileState,
  type Stood,
} from './catalogue.js';
export { checkCopy, complaintAboutFile, isSameFile, type OpenedFile } from './check.js';
export { createDecoder, createTurns, imageLimits, type Decoder, type EncodeImage } from './images/index.js';
export { mediaTypeOf, mediaTypes, SAMPLE_BYTES, type MediaType } from './media-type.js';
export { FILE_NAMING_EVENTS, filesNamedIn } from './named-in.js';
export {
  fileLimits,
  type ByteRange,
  type FileContent,
  type FileFacts,
  type FileMetadata,
  type FileOwner,
  type FilePage,
  type FileStore,
  type Swept,
} from './port.js';
export { filePurposes, purposeRules, type FilePurpose, type Quota } from './purposes.js';
export { fromSource, receive, type Received } from './receive.js';
export { isTransientStatus, retryLimits, uploadCanceled, withRetries, type RetryOptions } from './retry.js';
export { createRoom, type Room } from './room.js';
export {
  checkQuota,
  fileEmpty,
  fileNotFound,
  fileTooLarge,
  fileTypeRefused,
  isFileId,
  newFileId,
} from './rules.js';
export { createStorage, type FilesDisk, type Storage, type StorageBounds } from './storage.js';
export { mayBeNamed, sweepUnreferenced, type SweepOptions, type SweptUnreferenced } from './sweep.js';
export { createUploads, uploadLimits, type Uploads } from './uploads.js';
