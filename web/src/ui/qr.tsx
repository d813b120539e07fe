import { lazy, Suspense } from 'react';
import type { QrProps } from './qr-code';
import styles from './qr.module.css';

const QrCode = lazy(() => import('./qr-code'));

/** A text as a QR code. What draws it comes when one is shown. */
export function Qr(props: QrProps) {
  return (
    <Suspense fallback={<div className={styles.qr} aria-busy="true" />}>
      <QrCode {...props} />
    </Suspense>
  );
}
