import { Button } from '@mantine/core';
import { Copy } from '../../ui';
import styles from './second-factor.module.css';

type Props = { readonly codes: readonly string[]; readonly onDone: () => void };

/** The recovery codes, which nobody can show again. */
export function RecoveryCodes({ codes, onDone }: Props) {
  return (
    <section className={`card ${styles.shown}`} aria-label="Recovery codes">
      <p>
        Keep these codes where nobody else finds them. Each opens your account once, beside the password, when
        your app or your passkey is not at hand. They are shown this once.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.acts}>
        <Button onClick={onDone}>I have kept them</Button>
        <Button variant="default" onClick={() => print()}>
          Print
        </Button>
        <Copy text={codes.join('\n')} what="recovery codes" />
      </div>
    </section>
  );
}
