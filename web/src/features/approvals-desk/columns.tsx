import type { WaitingApproval } from '#contracts';
import { Approvals, When, type DataColumn } from '../../ui';
import { approvalWords, dollarsOf } from './words';
import styles from './approvals-desk.module.css';

type Column = DataColumn<WaitingApproval>;

export const amountColumn: Column = {
  head: 'Amount, USD',
  place: 'figure',
  width: '9ch',
  cell: (one) =>
    dollarsOf(one).map((dollars, n) => (
      <span key={one.amounts[n]?.currency} className={styles.amount}>
        {dollars}
      </span>
    )),
};

export const kindColumn: Column = { head: 'Kind', place: 'more', width: '14ch', cell: approvalWords };

export const approvalsColumn: Column = {
  head: 'Approvals',
  place: 'state',
  width: '12ch',
  cell: ({ approvals }) => <Approvals {...approvals} />,
};

export const byColumn: Column = {
  head: 'Approved by',
  place: 'more',
  width: '14ch',
  cell: ({ by, isOwn }) => (
    <>
      <span className="narrow">Approved by </span>
      {by.map(({ name }) => name).join(', ')}
      {isOwn && <span className="soft"> (with you)</span>}
    </>
  ),
};

export const untilColumn: DataColumn<{ readonly until: string }> = {
  head: 'Runs out',
  place: 'date',
  width: '14ch',
  cell: ({ until }) => (
    <>
      <span className="narrow">Runs out </span>
      <When iso={until} />
    </>
  ),
};
