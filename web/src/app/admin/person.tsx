import { Button } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { scales, type AccountView, type Currency, type OpenRequest } from '#contracts';
import { detailOf, hasCode, useAccountQuery } from '../../api';
import { WaitingAdjustmentsOf } from '../../features/approvals-desk';
import { useMay } from '../../features/duty';
import {
  Balances,
  BonusOf,
  FundDialog,
  MovementsOf,
  NotesOf,
  OpenRequestsOf,
  PersonHead,
  Restrict,
  SessionsOf,
} from '../../features/people';
import { WhyPanel } from '../../features/wallet';
import { useAddress } from '../../lib';
import { LoadFailed, Notice, Skeleton } from '../../ui';
import {
  caseFileOf,
  eventsOf,
  fundHistoryOf,
  transferHistoryOf,
  travelOf,
  withdrawalHistoryOf,
} from '../paths';
import { useScreen } from '../shell';
import styles from './person.module.css';

const names = ['why', 'fund'] as const;
const historyOf = { Funding: fundHistoryOf, withdrawal: withdrawalHistoryOf, transfer: transferHistoryOf };

/** Where a request of somebody is decided. */
const placeOf =
  (userId: string) =>
  ({ id, kind }: OpenRequest) =>
    `${historyOf[kind](userId)}?${new URLSearchParams({ request: id })}`;

function isCurrency(text: string | undefined): text is Currency {
  return text !== undefined && text in scales;
}

/** `/auth/User/dashboard/:userId`. `?why=USD` opens the why-panel, `?fund=yes` the credit and debit by hand. */
export default function Person() {
  useScreen('User Management');
  const { userId = '' } = useParams();
  const { currentData: account, error, refetch } = useAccountQuery({ userId });
  if (account !== undefined) return <Page account={account} />;
  return (
    <section className="card" aria-busy={error === undefined}>
      {error === undefined ? (
        <p className={styles.loading}>
          <Skeleton width="24ch" />
        </p>
      ) : hasCode(error, 'account_not_found') ? (
        <Notice title="User not found">Nobody has this id.</Notice>
      ) : (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      )}
    </section>
  );
}

function Page({ account }: { readonly account: AccountView }) {
  const { values, set } = useAddress(names);
  const { why, cursor } = values;
  const { userId } = account;
  const name = `${account.firstname} ${account.lastname}`.trim();
  const isCustomer = account.role === 'user';
  const mayFund = useMay('decide on money');
  const isFunded = mayFund && isCustomer && account.status !== 'closed';
  return (
    <div className={styles.page}>
      <PersonHead account={account} onFund={isFunded ? () => set({ ...values, fund: 'yes' }) : undefined}>
        <Button component={Link} to={eventsOf({ person: userId })} variant="default">
          Events
        </Button>
        <Button component={Link} to={travelOf(userId)} variant="default">
          Time travel
        </Button>
        <Button component={Link} to={caseFileOf(userId)} variant="default">
          Case file
        </Button>
      </PersonHead>
      {isCustomer && <Balances account={account} onWhy={(currency) => set({ ...values, why: currency })} />}
      <div className={styles.columns}>
        <div className={styles.column}>
          {isCurrency(why) && (
            <WhyPanel
              userId={userId}
              currency={why}
              placeOf={(at) => travelOf(userId, at)}
              onClose={() => set({ ...values, why: undefined })}
            />
          )}
          {isCustomer && (
            <>
              <OpenRequestsOf userId={userId} placeOf={placeOf(userId)} />
              <WaitingAdjustmentsOf userId={userId} />
              <MovementsOf userId={userId} cursor={cursor} onGo={(to) => set({ ...values, cursor: to })} />
            </>
          )}
          <SessionsOf account={account} name={name} />
        </div>
        <div className={styles.column}>
          {isCustomer && <BonusOf account={account} name={name} />}
          <NotesOf userId={userId} isClosed={account.status === 'closed'} />
          <Restrict account={account} name={name} />
        </div>
      </div>
      {isFunded && values.fund === 'yes' && (
        <FundDialog account={account} onClose={() => set({ ...values, fund: undefined })} />
      )}
    </div>
  );
}
