import { Button } from '@mantine/core';
import { useSearchParams } from 'react-router';
import type { Currency, TrialBalance as Balance } from '#contracts';
import { detailOf } from '../../api';
import { exactMoney, grouped, isZero } from '../../lib';
import { LoadFailed, Skeleton } from '../../ui';
import { useTrialBalanceQuery } from './api';
import { CellPostings } from './cell-postings';
import { withParameters } from './filter';
import type { Ways } from './inspector';
import { MomentForm } from './moment-form';
import { classNames, momentIn } from './moment';
import styles from './audit.module.css';

const sides = { customers: 'Owed to customers', operator: 'The operator’s side' } as const;

type RowsProps = {
  readonly balance: Balance;
  readonly all: readonly Currency[];
  readonly cell: string | null;
  readonly onCell: (cell: string) => void;
};

function Lines({ balance, all, cell, onCell }: RowsProps) {
  return (['customers', 'operator'] as const).map((side) => (
    <tbody key={side}>
      <tr className={styles.side}>
        <th scope="rowgroup" colSpan={all.length + 1}>
          {sides[side]}
        </th>
      </tr>
      {balance.lines
        .filter((line) => line.side === side)
        .map(({ account, amounts }) => (
          <tr key={account}>
            <th scope="row">{classNames[account]}</th>
            {all.map((currency) => {
              const name = `${account}-${currency}`;
              return (
                <td key={currency} className="num" data-selected={name === cell}>
                  <span className="narrow">{currency} </span>
                  <button
                    type="button"
                    className={styles.cell}
                    aria-label={`Postings behind ${classNames[account]}, ${exactMoney(amounts[currency], currency)} ${currency}`}
                    aria-pressed={name === cell}
                    onClick={() => onCell(name)}
                  >
                    {exactMoney(amounts[currency], currency)}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
    </tbody>
  ));
}

function Sums({ balance, all }: Pick<RowsProps, 'balance' | 'all'>) {
  return (
    <tfoot>
      <tr>
        <th scope="row">Sum of all lines</th>
        {all.map((currency) => (
          <td key={currency} className={`num ${isZero(balance.sum[currency]) ? '' : 'debit'}`}>
            <span className="narrow">{currency} </span>
            {exactMoney(balance.sum[currency], currency)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

/** What all accounts of a kind add up to as of any moment, and what is behind each figure. */
export function TrialBalance({ ways }: { readonly ways: Ways }) {
  const [search, setSearch] = useSearchParams();
  const moment = momentIn(search);
  const cell = search.get('cell');
  const { currentData, error, refetch } = useTrialBalanceQuery(moment, { refetchOnMountOrArgChange: true });
  const all = Object.keys(currentData?.sum ?? {}) as Currency[];
  const go = (changes: Parameters<typeof withParameters>[1]) =>
    setSearch((now) => withParameters(now, { cursor: undefined, event: undefined, ...changes }));
  const [account, currency] = (cell ?? '').split('-');
  const known = currentData?.lines.find((line) => line.account === account);
  return (
    <>
      <MomentForm
        key={JSON.stringify(moment)}
        moment={moment}
        onGo={(changes) => go({ at: undefined, position: undefined, ...changes })}
      />
      <section
        className={`card ${styles.list ?? ''}`}
        aria-label="Trial balance"
        aria-busy={currentData === undefined && error === undefined}
      >
        {error !== undefined && <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />}
        {error === undefined && currentData === undefined && (
          <p className={styles.part}>
            <Skeleton width="80%" />
          </p>
        )}
        {currentData !== undefined && (
          <>
            <table className={`two-line ${styles.balance ?? ''}`}>
              <thead>
                <tr>
                  <th scope="col">Account</th>
                  {all.map((one) => (
                    <th key={one} scope="col">
                      {one}
                    </th>
                  ))}
                </tr>
              </thead>
              <Lines
                balance={currentData}
                all={all}
                cell={cell}
                onCell={(name) => go({ cell: name === cell ? undefined : name })}
              />
              <Sums balance={currentData} all={all} />
            </table>
            <p className={`${styles.foot ?? ''} ${currentData.balanced ? '' : 'debit'}`} role="status">
              {currentData.balanced ? 'The books balance' : 'The books do not balance'} as of position{' '}
              {grouped(currentData.position)}.
              <Button variant="subtle" size="compact-xs" className="action" onClick={() => void refetch()}>
                Look again
              </Button>
            </p>
          </>
        )}
      </section>
      {known !== undefined && all.some((one) => one === currency) && (
        <CellPostings account={known.account} currency={currency as Currency} moment={moment} ways={ways} />
      )}
    </>
  );
}
