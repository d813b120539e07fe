import type { ReactNode } from 'react';
import { detailOf } from '../../api';
import { LoadFailed, Skeleton } from '../../ui';
import { diffOf } from '../history';
import { useStateAroundQuery } from './api';
import styles from './audit.module.css';

type Props = { readonly userId: string; readonly revision: number; readonly travel: ReactNode };

/** What the account was before an event and after it, where the two differ. */
export function StateDiff({ userId, revision, travel }: Props) {
  const { currentData, error, refetch } = useStateAroundQuery({
    userId,
    order: 'oldest',
    from: revision,
    limit: 1,
  });
  const lines =
    currentData === undefined
      ? undefined
      : diffOf(currentData.events[0]?.after ?? null, currentData.before).filter(
          ({ change }) => change !== '',
        );
  return (
    <section className={styles.part} aria-label="State before and after">
      <h3 className="label">State before and after</h3>
      {error !== undefined && <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />}
      {error === undefined && lines === undefined && <Skeleton width="70%" />}
      {lines?.length === 0 && <p className="soft">Nothing that the account is made of changed.</p>}
      {lines !== undefined && lines.length > 0 && (
        <table className={styles.small}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, other, then }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="num soft">{other}</td>
                <td className={`num ${styles.after ?? ''}`}>{then}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {travel}
    </section>
  );
}
