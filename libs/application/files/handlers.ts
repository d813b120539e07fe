import type { ApplicationParts } from '../parts.js';
import { ListFilesOfHandler } from './list.js';
import { OpenFileHandler, OpenProfileImageHandler, OpenPublicFileHandler } from './open.js';
import { SweepFilesHandler } from './sweep.js';
import { UploadFileHandler } from './upload.js';

/** The handlers of uploaded files: their way in, who may read them, and their end. */
export function fileHandlers(
  parts: Pick<
    ApplicationParts,
    'aggregates' | 'files' | 'eventStore' | 'readStore' | 'projections' | 'clock' | 'hold' | 'storage'
  >,
) {
  return [
    new ListFilesOfHandler(parts),
    new OpenFileHandler(parts),
    new OpenProfileImageHandler(parts),
    new OpenPublicFileHandler(parts),
    new SweepFilesHandler(parts),
    new UploadFileHandler(parts),
  ];
}
