import { mayBeNamed, type FilePurpose, type FileStore } from '#files';
import { isLodeError, type Clock } from '#kernel';
import type { ProductDocument } from '#projections';
import { InvalidInput, type Issue } from '../http/problem.js';

/** The images that a command names; what is left out stays as it is. */
type Named = {
  readonly image?: string | undefined;
  readonly ownerImage?: string | undefined;
  readonly recommendedImages?: readonly string[] | undefined;
};

type Images = { readonly files: FileStore; readonly clock: Clock };

/**
 * Refuses with `validation_failed`, path by path, images that were not uploaded for this. One that the product has already
 * may stay however old it is; any other must have been uploaded lately, because older ones may be swept at any moment.
 */
export async function checkImages(
  { files, clock }: Images,
  named: Named,
  current: ProductDocument | undefined,
): Promise<void> {
  const kept = new Set(
    current === undefined ? [] : [current.image, current.ownerImage, ...current.recommendedImages],
  );
  const issueWith = async (path: string, fileId: string, purpose: FilePurpose): Promise<readonly Issue[]> => {
    const file = await files.stat(fileId).catch((error: unknown) => {
      if (isLodeError(error) && error.code === 'file_not_found') return undefined;
      throw error;
    });
    const isGood = file?.purpose === purpose && (kept.has(fileId) || mayBeNamed(file, clock()));
    return isGood ? [] : [{ path, message: 'Error uploading product' }];
  };
  const { image, ownerImage, recommendedImages = [] } = named;
  const issues = await Promise.all([
    ...(image === undefined ? [] : [issueWith('image', image, 'product-image')]),
    ...(ownerImage === undefined ? [] : [issueWith('ownerImage', ownerImage, 'product-image')]),
    ...recommendedImages.map((id, n) => issueWith(`recommendedImages.${n}`, id, 'product-recommended')),
  ]);
  const all = issues.flat();
  if (all.length > 0) throw new InvalidInput(all);
}
