import { mayBeNamed, type FilePurpose } from '#files';
import type { ProductDocument } from '#projections';
import { fileFor, type Files } from '../files/named.js';
import { InvalidInput, type Issue } from '../invalid-input.js';

/** The images that a command names; what is left out stays as it is. */
type Named = {
  readonly image?: string | undefined;
  readonly ownerImage?: string | undefined;
  readonly recommendedImages?: readonly string[] | undefined;
};

/**
 * Refuses with `validation_failed`, path by path, images that were not uploaded for this. One that the product has already
 * may stay however old it is; any other must have been uploaded lately, because older ones may be swept at any moment.
 */
export async function checkImages(
  from: Files,
  named: Named,
  current: ProductDocument | undefined,
): Promise<void> {
  const kept = new Set(
    current === undefined ? [] : [current.image, current.ownerImage, ...current.recommendedImages],
  );
  const issueWith = async (path: string, fileId: string, purpose: FilePurpose): Promise<readonly Issue[]> => {
    const file = await fileFor(from, fileId, purpose);
    const isGood = file !== undefined && (kept.has(fileId) || mayBeNamed(file, from.clock()));
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
