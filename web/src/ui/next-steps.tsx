import type { ReactNode } from 'react';
import styles from './next-steps.module.css';

type Props = {
  /** Each with what it is called and what it means. */
  readonly steps: readonly (readonly [name: string, what: ReactNode])[];
  readonly children: ReactNode;
};

/** What becomes of a request once it is sent. */
export function NextSteps({ steps, children }: Props) {
  return (
    <aside className={styles.steps} aria-labelledby="next">
      <h2 id="next">What happens next</h2>
      <ol>
        {steps.map(([name, what]) => (
          <li key={name}>
            <b>{name}</b>
            <span className="num">{what}</span>
          </li>
        ))}
      </ol>
      <p>{children}</p>
    </aside>
  );
}
