import { Button, Input } from '@mantine/core';
import FileCheck from 'lucide-react/icons/file-check-2';
import Upload from 'lucide-react/icons/upload';
import { useId, useRef, useState } from 'react';
import { formatBytes } from '../../lib';
import { ACCEPTED_TYPES } from './validate';
import styles from './file-drop.module.css';

type Props = {
  readonly label: string;
  readonly hint: string;
  readonly file: File | null;
  readonly error: string | undefined;
  readonly onChange: (file: File) => void;
};

/** A place to drop one file on, or to choose it with the keyboard. */
export function FileDrop({ label, hint, file, error, onChange }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const chosen = files?.[0];
    if (chosen !== undefined) onChange(chosen);
  };
  return (
    <Input.Wrapper label={label} labelProps={{ htmlFor: id }} error={error} description={hint}>
      <div
        className={styles.drop}
        data-over={over}
        data-error={error !== undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files);
        }}
      >
        {file === null ? <Upload className="icon" /> : <FileCheck className="icon credit" />}
        <div className={styles.name}>
          <b>{file === null ? 'Drop the receipt here' : file.name}</b>
          <span className="soft num">{file === null ? 'or choose it' : formatBytes(file.size)}</span>
        </div>
        <input
          ref={input}
          id={id}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          accept={ACCEPTED_TYPES.join(',')}
          aria-invalid={error !== undefined}
          onChange={(event) => {
            take(event.currentTarget.files);
            // The same file can be chosen again.
            event.currentTarget.value = '';
          }}
        />
        <Button type="button" variant="subtle" size="xs" onClick={() => input.current?.click()}>
          {file === null ? 'Choose file' : 'Replace'}
        </Button>
      </div>
    </Input.Wrapper>
  );
}
