import { useState } from 'react';
import { refusalOf } from '../../api';
import { notifyError } from '../../ui';
import { useUploadProductImageMutation, useUploadRecommendedImageMutation } from './api';
import type { Image } from './fields';

const FAILED = 'Error uploading product';
const NO_IMAGE = 'Please choose an image.';

/** Uploads images one after another, and gives those that came through; says of another why not. */
export function useImages<Field extends string>() {
  const [uploadOne] = useUploadProductImageMutation();
  const [uploadRecommended] = useUploadRecommendedImageMutation();
  const [busy, setBusy] = useState<Field>();
  const upload = async (
    field: Field,
    files: readonly File[],
    kind: 'product' | 'recommended',
  ): Promise<readonly Image[]> => {
    const send = kind === 'product' ? uploadOne : uploadRecommended;
    const images: Image[] = [];
    setBusy(field);
    for (const file of files) {
      if (!file.type.startsWith('image/')) {
        notifyError(NO_IMAGE);
        continue;
      }
      const { data, error } = await send({ file });
      if (error === undefined) images.push({ fileId: data.fileId, url: data.url });
      else {
        const refusal = refusalOf(error, { failed: FAILED });
        if (refusal.kind === 'refused') notifyError(refusal.message);
      }
    }
    setBusy(undefined);
    return images;
  };
  return { upload, busy };
}
