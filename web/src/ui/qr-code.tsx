import { encode } from 'uqr';
import styles from './qr.module.css';

/** Modules of light around a code, which readers need to find it. */
const QUIET = 4;

export type QrProps = { readonly text: string; readonly label: string };

/** A text as a QR code, drawn here: nobody else learns what is in it. */
export default function QrCode({ text, label }: QrProps) {
  const { data, size } = encode(text, { border: QUIET, ecc: 'M' });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
