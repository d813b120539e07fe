import type { ReactNode } from 'react';
import { detailOf, useOwnTransactionsQuery } from '../../api';
import { ListCard, LoadFailed, Notice } from '../../ui';
import { Movements } from './movements';
import styles from './assets.module.css';

/** How many are shown. */
const LAST = 5;

type Props = {
  readonly userId: string;
  /** Stands beside the heading. */
  readonly action: ReactNode;
};

/** What moved a customer's wallets last, in all currencies. */
export function LastMovements({ userId, action }: Props) {
  const { data, error, refetch } = useOwnTransactionsQuery({ userId, limit: LAST });
  const isAway = data === undefined && error !== undefined;
  return (
    <ListCard title="Last movements" action={action}>
      {isAway && <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && (
        <Notice title="Nothing has moved yet.">What comes and goes in your wallets is shown here.</Notice>
      )}
      {!isAway && data?.items.length !== 0 && (
        <div className={styles.last}>
          <Movements lines={data?.items} />
        </div>
      )}
    </ListCard>
  );
}
