import { z } from 'zod';
import { fileId } from '../common.js';
import { fileAnswer } from '../wallet.js';
import { type Route } from './route.js';

/** Uploads and downloads. */
export const filesRoutes = {
  uploadEvidence: {
    method: 'POST',
    path: '/api/files',
    summary: 'Upload payment evidence: an image or a PDF, as the only file of the form',
    tag: 'Files',
    access: 'user',
    upload: 'multipart/form-data',
    status: 201,
    answer: fileAnswer,
    errors: ['file_missing', 'file_empty', 'file_type', 'file_too_large', 'storage_full'],
  },
  file: {
    method: 'GET',
    path: '/api/files/:fileId',
    summary: 'A file, to its owner and to admins; a PDF comes as an attachment',
    tag: 'Files',
    access: 'signed-in',
    params: z.object({ fileId }),
    status: 200,
    answer: 'application/octet-stream',
    errors: ['file_not_found'],
  },
} as const satisfies Record<string, Route>;
