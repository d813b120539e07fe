import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AccountView } from '#contracts';
import { displayMoney } from '../../lib';
import { ListCard, When } from '../../ui';
import { ActDialog } from '../acts';
import { TakesSecond, WaitingChange } from '../approvals';
import { useMay } from '../duty';
import { useRestartBonusMutation } from './api';
import styles from './people.module.css';

/** The days of a customer's cycle, of which `paid` are; none before the first sign-in. */
export function cycleOf({ bonus, bonusTerms }: AccountView) {
  if (bonus === null || bonusTerms === null) return undefined;
  const days = bonusTerms.capDays;
  const paid = Math.min(bonus.bonusDays, days);
  return { ...bonus, dueAt: bonusTerms.dueAt, paid, days, isRunning: paid < days };
}

type Props = { readonly account: AccountView; readonly name: string };

/** A customer's promotional bonus: what came, what comes, and a new cycle. */
export function BonusOf({ account, name }: Props) {
  const { userId } = account;
  const [restart] = useRestartBonusMutation();
  const [asks, setAsks] = useState(false);
  const cycle = cycleOf(account);
  const mayRestart = useMay('decide on money');
  return (
    <ListCard
      title="Promotional bonus"
      action={
        <span className="soft">
          {cycle === undefined ? 'not begun' : cycle.isRunning ? 'running' : 'ended'}
        </span>
      }
    >
      <div className={styles.bonus}>
        {cycle === undefined ? (
          <p className="soft">A cycle begins with the first sign-in.</p>
        ) : (
          <Cycle account={account} cycle={cycle} />
        )}
        <WaitingChange part="bonus" userId={userId} />
        {mayRestart && (
          <Button
            variant="default"
            size="xs"
            disabled={cycle === undefined || account.status === 'closed'}
            onClick={() => setAsks(true)}
          >
            Restart mining
          </Button>
        )}
      </div>
      {asks && cycle !== undefined && (
        <ActDialog
          title="Restart mining"
          act="Restart"
          reason="needed"
          send={({ reason = '', ...input }) => restart({ userId, reason, ...input })}
          done="Mining restarted successfully"
          failed="Mining could not be restarted."
          onClose={() => setAsks(false)}
        >
          <p>
            A new cycle of {cycle.days} days begins for {name}, at day 0. What was credited before stays, and
            days of the cycle of now that are not paid are not paid any more.
          </p>
          <TakesSecond part="bonus" />
        </ActDialog>
      )}
    </ListCard>
  );
}

type CycleProps = Pick<Props, 'account'> & { readonly cycle: NonNullable<ReturnType<typeof cycleOf>> };

function Cycle({ account: { totals, bonusTerms }, cycle }: CycleProps) {
  return (
    <>
      <div className={styles.days} aria-hidden="true">
        {Array.from({ length: cycle.days }, (_, day) => (
          <i key={day} data-paid={day < cycle.paid} />
        ))}
      </div>
      <p className="num">
        <b>
          {cycle.paid} of {cycle.days} days
        </b>
        , {displayMoney(totals.bonus, 'USD')} USD credited
      </p>
      <p className="soft">Paid by the operator, not by mining.</p>
      <dl>
        <div>
          <dt>Window</dt>
          <dd>
            <When iso={cycle.startDate} /> to <When iso={cycle.endDate} />
          </dd>
        </div>
        <div>
          <dt>Next day</dt>
          <dd>{cycle.dueAt === null ? 'Nothing more' : <When iso={cycle.dueAt} />}</dd>
        </div>
        <div>
          <dt>Paid in</dt>
          <dd>{bonusTerms?.currency}</dd>
        </div>
      </dl>
    </>
  );
}
