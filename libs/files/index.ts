export { mediaTypeOf, mediaTypes, SAMPLE_BYTES, type MediaType } from './media-type.js';
export { fileLimits, type FileContent, type FileMetadata, type FileStore } from './port.js';
export { fileEmpty, fileNotFound, fileTooLarge, fileTypeRefused, isFileId, newFileId } from './rules.js';
