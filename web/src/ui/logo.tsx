import styles from './logo.module.css';

/** The mark: two layers of rock and the vein between them. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className={styles.mark}>
      <path d="M3 6.2 12 2l9 4.2v3.1L12 5.1 3 9.3Z" fill="currentColor" />
      <path d="M3 12 12 7.8 21 12v3.1L12 10.9 3 15.1Z" fill="var(--copper-fill)" />
      <path d="M3 17.8 12 13.6l9 4.2v.4L12 22l-9-3.8Z" fill="currentColor" />
    </svg>
  );
}

export function Logo() {
  return (
    <span className={styles.logo}>
      <Mark />
      <span className={styles.word}>Lode</span>
    </span>
  );
}
