import type { WaitingApproval } from '#contracts';
import { When } from '../../ui';
import styles from './approvals.module.css';

/** Who approved something that waits for other admins, the first one first, and whether that still counts. */
export function GivenBy({ of: { by, kind } }: { readonly of: Pick<WaitingApproval, 'by' | 'kind'> }) {
  return (
    <ol className={styles.given} aria-label="Approved by">
      {by.map(({ name, at, until, reason, counts }, n) => (
        <li key={`${name} ${at}`}>
          {n === 0 && kind === 'adjustment' ? 'Asked for by' : 'Approved by'} <b>{name}</b>,{' '}
          <span className="soft">
            <When iso={at} />,
          </span>
          <span className={counts ? 'soft' : styles.void}>
            {counts ? (
              <>
                {' '}
                counts until <When iso={until} />
              </>
            ) : (
              ' counts no more'
            )}
          </span>
          {reason !== undefined && <span className={styles.reason}>“{reason}”</span>}
        </li>
      ))}
    </ol>
  );
}
