import type { ApplicationParts } from '../parts.js';
import { ListFilesOf, ListFilesOfHandler } from './list.js';
import {
  OpenFile,
  OpenFileHandler,
  OpenProfileImage,
  OpenProfileImageHandler,
  OpenPublicFile,
  OpenPublicFileHandler,
} from './open.js';
import { SweepFiles, SweepFilesHandler } from './sweep.js';
import { UploadFile, UploadFileHandler } from './upload.js';
import { handledBy } from '../message.js';

/** The handlers of uploaded files: their way in, who may read them, and their end. */
export function fileHandlers(
  parts: Pick<
    ApplicationParts,
    'aggregates' | 'files' | 'eventStore' | 'readStore' | 'projections' | 'clock' | 'hold' | 'storage'
  >,
) {
  return [
    handledBy(ListFilesOf, new ListFilesOfHandler(parts)),
    handledBy(OpenFile, new OpenFileHandler(parts)),
    handledBy(OpenProfileImage, new OpenProfileImageHandler(parts)),
    handledBy(OpenPublicFile, new OpenPublicFileHandler(parts)),
    handledBy(SweepFiles, new SweepFilesHandler(parts)),
    handledBy(UploadFile, new UploadFileHandler(parts)),
  ];
}
