import { Button, Input } from '@mantine/core';
import X from 'lucide-react/icons/x';
import { useId, useRef } from 'react';
import type { Image } from './fields';
import styles from './products.module.css';

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif';

type Props = {
  readonly label: string;
  readonly images: readonly Image[];
  /** Several can be chosen, and each taken away again. */
  readonly many?: boolean;
  readonly busy: boolean;
  readonly error?: string | undefined;
  readonly onChoose: (files: readonly File[]) => void;
  readonly onRemove?: (image: Image) => void;
};

/** Images of a product: what was chosen, and the way to choose. */
export function ImageInput({ label, images, many = false, busy, error, onChoose, onRemove }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <Input.Wrapper label={label} labelProps={{ htmlFor: id }} error={error}>
      <div className={styles.images}>
        {images.map((image, at) => (
          <span key={image.fileId} className={styles.thumb}>
            <img src={image.url} alt={many ? `${label}, ${at + 1}` : label} width={72} height={72} />
            {onRemove !== undefined && (
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove ${label.toLowerCase()} ${at + 1}`}
                onClick={() => onRemove(image)}
              >
                <X className="icon small" />
              </button>
            )}
          </span>
        ))}
        <input
          ref={input}
          id={id}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          accept={ACCEPTED}
          multiple={many}
          aria-invalid={error !== undefined}
          onChange={(event) => {
            onChoose([...(event.currentTarget.files ?? [])]);
            // The same file can be chosen again.
            event.currentTarget.value = '';
          }}
        />
        <Button variant="default" disabled={busy} onClick={() => input.current?.click()}>
          {busy ? 'Please wait' : images.length > 0 && !many ? 'Replace' : 'Choose'}
          <span className="visually-hidden"> {label.toLowerCase()}</span>
        </Button>
      </div>
    </Input.Wrapper>
  );
}
