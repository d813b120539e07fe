import { Button } from '@mantine/core';
import KeyRound from 'lucide-react/icons/key-round';
import type { ReactNode } from 'react';
import styles from './proof.module.css';
import type { FormProof } from './use-proof';

type Props = {
  readonly proof: FormProof;
  /** What a passkey stands for here, such as `pin`. */
  readonly instead: string;
  /** The fields for what is typed; not asked for where none are shown, so that none is checked. */
  readonly children: () => ReactNode;
};

/** Where a form asks again who it is that asks: the fields for what is typed, or word of a passkey in their place. */
export function Proof({ proof, instead, children }: Props) {
  const { way, hasOther, said, choose } = proof;
  const icon = <KeyRound className="icon small" aria-hidden="true" />;
  if (way === 'typed')
    return (
      <>
        {children()}
        {hasOther && (
          <Button
            className={styles.way ?? ''}
            variant="default"
            size="xs"
            leftSection={icon}
            onClick={() => choose('passkey')}
          >
            Use a passkey
          </Button>
        )}
      </>
    );
  return (
    <div className={styles.passkey}>
      {icon}
      <p role="status">{said ?? 'Your browser asks for your passkey when you send this.'}</p>
      {hasOther && (
        <Button variant="default" size="xs" onClick={() => choose('typed')}>
          Use your {instead}
        </Button>
      )}
    </div>
  );
}
