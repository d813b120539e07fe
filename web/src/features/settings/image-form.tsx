import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { refusalOf, useChangeProfileImageMutation, useUploadProfileImageMutation } from '../../api';
import { useKey } from '../../lib';
import { notifyError, notifySuccess, useFocusAfter } from '../../ui';
import { Cropper } from './cropper';
import styles from './settings.module.css';

const FAILED = 'Failed to upload image.';

/** The person's image: chosen, cut to a square, and shown from then on. */
export function ImageForm({ userId }: { readonly userId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ImageBitmap>();
  const { save, isSaving } = useSaving(userId, () => setPicture(undefined));
  const button = useFocusAfter(picture !== undefined, true);
  const choose = (file: File | undefined) => {
    if (file === undefined) return;
    createImageBitmap(file).then(setPicture, () => notifyError(FAILED));
  };
  return (
    <div className={`card ${styles.image}`}>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        className="visually-hidden"
        aria-label="Profile image"
        tabIndex={-1}
        onChange={(event) => {
          choose(event.currentTarget.files?.[0]);
          // The same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
      {picture === undefined ? (
        <div className={styles.all}>
          <Button ref={button} variant="default" onClick={() => input.current?.click()}>
            Choose picture
          </Button>
          <span className="soft">PNG, JPEG, WebP or GIF, up to 10 MB.</span>
        </div>
      ) : (
        <Cropper
          picture={picture}
          busy={isSaving}
          onUse={(file) => void save(file)}
          onCancel={() => setPicture(undefined)}
        />
      )}
    </div>
  );
}

/** Uploads a picture and has it shown. */
function useSaving(userId: string, onDone: () => void) {
  const [upload, uploading] = useUploadProfileImageMutation();
  const [change, changing] = useChangeProfileImageMutation();
  const key = useKey();
  const save = async (file: File) => {
    const uploaded = await upload({ file });
    const fileId = uploaded.data?.fileId;
    const { error } =
      fileId === undefined ? uploaded : await change({ userId, fileId, idempotencyKey: key.of(fileId) });
    if (error === undefined) {
      key.done();
      notifySuccess('Profile image updated successfully!');
      onDone();
      return;
    }
    const refusal = refusalOf(error, { failed: FAILED });
    if (refusal.kind === 'refused') notifyError(refusal.message);
  };
  return { save, isSaving: uploading.isLoading || changing.isLoading };
}
