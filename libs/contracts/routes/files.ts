import { z } from 'zod';
import { fileId } from '../common.js';
import { evidence, fileAnswer, FILM_TYPE, imageName, IMAGE_TYPE, mediaName } from '../files.js';
import { ofUser, type Route } from './route.js';

/** What an upload may be refused with, beyond what every route may. */
const refusals = [
  'file_missing',
  'file_empty',
  'file_type',
  'file_too_large',
  'quota_exceeded',
  'upload_canceled',
] as const;

const upload = {
  method: 'POST',
  tag: 'Files',
  upload: 'multipart/form-data',
  status: 201,
  location: ':url',
  answer: fileAnswer,
  errors: refusals,
} as const;

const download = {
  method: 'GET',
  tag: 'Files',
  status: 200,
  answer: 'application/octet-stream',
  media: evidence.shape.mediaType.options,
  errors: ['file_not_found', 'range_not_satisfiable', 'storage_failed'],
} as const;

/** Uploads, each of one file that is the only part of the form, and downloads. */
export const filesRoutes = {
  uploadEvidence: {
    ...upload,
    path: '/api/files',
    summary: 'Upload payment evidence: an image, which is encoded anew, or a PDF',
    access: 'user',
  },
  uploadProductImage: {
    ...upload,
    path: '/api/files/products',
    summary: 'Upload the image of a product or of its owner',
    access: 'admin',
    may: 'write the site',
    stepUp: 'never',
    failed: 'Error uploading product',
  },
  uploadRecommendedImage: {
    ...upload,
    path: '/api/files/recommended',
    summary: 'Upload a recommended image of a product',
    access: 'admin',
    may: 'write the site',
    stepUp: 'never',
    failed: 'Error uploading product',
  },
  uploadSiteMedia: {
    ...upload,
    path: '/api/files/site',
    summary:
      'Upload a picture of the site, or a film as MP4, which stays as it is; the content names it by its `url`',
    access: 'admin',
    may: 'write the site',
    stepUp: 'never',
  },
  uploadProfileImage: {
    ...upload,
    path: '/api/files/profile-image',
    summary: 'Upload an image of whoever is signed in',
    access: 'signed-in',
    failed: 'Failed to upload image.',
  },
  file: {
    ...download,
    path: '/api/files/:fileId',
    summary: 'A file, to its owner and to admins; a PDF comes as an attachment',
    access: 'signed-in',
    params: z.object({ fileId }),
  },
  evidenceFile: {
    ...download,
    path: '/files/paymentEvidence/:fileId',
    summary: 'Payment evidence, to its owner and to admins; a PDF comes as an attachment',
    access: 'signed-in',
    params: z.object({ fileId }),
  },
  productImage: {
    ...download,
    media: [IMAGE_TYPE],
    path: '/files/products/:name',
    summary: 'The image of a product or of its owner',
    access: 'visitor',
    params: z.object({ name: imageName }),
  },
  recommendedImage: {
    ...download,
    media: [IMAGE_TYPE],
    path: '/files/recommended/:name',
    summary: 'A recommended image of a product',
    access: 'visitor',
    params: z.object({ name: imageName }),
  },
  siteMedia: {
    ...download,
    media: [IMAGE_TYPE, FILM_TYPE],
    path: '/image/:name',
    summary: 'A picture or film of the site',
    access: 'visitor',
    params: z.object({ name: mediaName }),
  },
  profileImage: {
    ...download,
    media: [IMAGE_TYPE],
    path: '/files/user/:userId/profileImage',
    summary: 'A person’s image, to that person and to admins',
    access: 'owner',
    may: 'read',
    stepUp: 'never',
    params: ofUser,
  },
} as const satisfies Record<string, Route>;
