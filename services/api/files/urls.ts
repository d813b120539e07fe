import type { FileMetadata, FilePurpose } from '#application';
import { filePath } from '#contracts';

/** Where a file of each purpose can be fetched; a person's image is there once the profile names it. */
export const urlOf: Readonly<
  Record<FilePurpose, (file: Pick<FileMetadata, 'fileId' | 'ownerId' | 'mediaType'>) => string>
> = {
  evidence: ({ fileId }) => filePath.evidence(fileId),
  'product-image': ({ fileId }) => filePath.product(fileId),
  'product-recommended': ({ fileId }) => filePath.recommended(fileId),
  'site-media': ({ fileId, mediaType }) => filePath.siteMedia(fileId, mediaType),
  'profile-image': ({ ownerId }) => filePath.profileImage(ownerId),
};
