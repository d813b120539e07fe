import { generatePath, Link } from 'react-router';
import { pagePaths, type FundRequestView } from '#contracts';
import { exactMoney } from '../../lib';
import { LoadFailed, Status, When } from '../../ui';
import { useEvidenceUsesQuery } from './api';
import styles from './evidence-uses.module.css';

/** The other requests with the same file as evidence; nothing where there is none. Those of other customers are a warning. */
export function EvidenceUses({ request: { id, userId } }: { readonly request: FundRequestView }) {
  const { data, isError, refetch } = useEvidenceUsesQuery({ userId, requestId: id });
  if (isError) return <LoadFailed onRetry={() => void refetch()} />;
  if (data === undefined || data.items.length === 0) return null;
  const isOthers = data.items.some((use) => use.userId !== userId);
  return (
    <section className={styles.uses} data-others={isOthers} aria-label="Used before">
      <p>
        <b>{isOthers ? 'The same file was sent by another customer' : 'The same file was sent before'}</b>
      </p>
      <ul>
        {data.items.map((use) => (
          <li key={use.requestId}>
            <Link
              to={`${generatePath(pagePaths.fundHistory, { userId: use.userId })}?request=${use.requestId}`}
            >
              {exactMoney(use.amount, 'USD')} USD by {use.customer}
            </Link>{' '}
            <Status status={use.status} /> <When iso={use.createdAt} />
          </li>
        ))}
      </ul>
      {data.hasMore && <p>And more.</p>}
    </section>
  );
}
