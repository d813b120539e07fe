import { Modal } from '@mantine/core';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

type Props = {
  readonly title: string;
  readonly onClose: () => void;
  /** False where closing would lose something: the dialog then offers its own ways out. */
  readonly closable?: boolean;
  /** In pixels, on a desk; a phone shows a sheet from below. */
  readonly width: number;
  readonly children: ReactNode;
};

/** A dialog that is open as long as it is rendered. Escape and a press beside it close it. */
export function Dialog({ title, onClose, closable = true, width, children }: Props) {
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={width}
      closeOnEscape={closable}
      closeOnClickOutside={closable}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      centered
      classNames={{
        overlay: styles.veil ?? '',
        inner: styles.inner ?? '',
        content: styles.dialog ?? '',
        title: styles.title ?? '',
      }}
    >
      <Modal.Overlay backgroundOpacity={1} />
      <Modal.Content data-lode-dialog>
        <div className={styles.head}>
          <Modal.Title component="h2">{title}</Modal.Title>
          {closable && (
            <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
              <X className="icon" />
            </button>
          )}
        </div>
        {children}
      </Modal.Content>
    </Modal.Root>
  );
}
