import { Modal } from '@mantine/core';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { useFocusBack } from './use-focus-back';
import styles from './dialog.module.css';

type Props = {
  readonly title: string;
  /** The title is only read out: the dialog begins with a field that says what it is for, beside the way out. */
  readonly bare?: boolean;
  readonly onClose: () => void;
  /** What Escape and a press beside it do instead, while a part of it is over the rest. */
  readonly onBack?: (() => void) | undefined;
  /** False where closing would lose something: the dialog then offers its own ways out. */
  readonly closable?: boolean;
  /** In pixels, on a desk; a phone shows a sheet from below. */
  readonly width: number;
  readonly children: ReactNode;
};

/**
 * A dialog that is open as long as it is rendered. Escape and a press beside it close it, and the focus is then where it
 * was before, unless something else took it.
 */
export function Dialog({ title, bare = false, onClose, onBack, closable = true, width, children }: Props) {
  // Mantine does that only for dialogs that were rendered before they were opened.
  useFocusBack();
  return (
    <Modal.Root
      opened
      onClose={onBack ?? onClose}
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
          <Modal.Title component="h2" className={bare ? 'visually-hidden' : ''}>
            {title}
          </Modal.Title>
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
