import type { Statement } from '#contracts';
import { exactMoney, formatTime, isZero, signedMoney } from '../../lib';
import { Copyable, Skeleton } from '../../ui';
import styles from './statement.module.css';

const SKELETON_ROWS = 8;

type Entry = Statement['entries'][number];
type Currency = Statement['currency'];

/** The movements of a period, oldest first. On a phone a row is two lines: what and how much, then when and what it left. */
export function StatementTable({ statement }: { readonly statement: Statement | undefined }) {
  return (
    <table className={`two-line ${styles.table ?? ''}`} aria-busy={statement === undefined}>
      <caption className="visually-hidden">Movements, oldest first</caption>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Description</th>
          <th scope="col" className={styles.figure}>
            Change
          </th>
          <th scope="col" className={styles.figure}>
            On hold
          </th>
          <th scope="col" className={styles.figure}>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {statement === undefined
          ? Array.from({ length: SKELETON_ROWS }, (_, row) => <SkeletonRow key={row} />)
          : statement.entries.map((entry) => (
              <Row key={entry.eventId} entry={entry} currency={statement.currency} zone={statement.zone} />
            ))}
      </tbody>
    </table>
  );
}

type RowProps = { readonly entry: Entry; readonly currency: Currency; readonly zone: string };

function Row({ entry, currency, zone }: RowProps) {
  const { at, change, description, heldChange, after, reason, requestId } = entry;
  const direction = isZero(change) ? '' : change.startsWith('-') ? 'debit' : 'credit';
  return (
    <tr>
      <td className={`soft ${styles.date ?? ''}`}>
        <time dateTime={at} title={at}>
          {formatTime(at, zone)}
        </time>
      </td>
      <td className={styles.lead}>
        {description}
        {reason !== undefined && <span className={`soft ${styles.reason ?? ''}`}>“{reason}”</span>}
        {requestId !== undefined && (
          <span className={`faint ${styles.request ?? ''}`}>
            <Copyable text={requestId} what="Request id" />
          </span>
        )}
      </td>
      <td className={`num ${styles.figure ?? ''} ${styles.change ?? ''} ${direction}`}>
        {isZero(change) ? '' : signedMoney(change, currency)}
      </td>
      <td className={`num soft ${styles.figure ?? ''} ${styles.held ?? ''}`}>
        {!isZero(heldChange) && (
          <>
            <span className="narrow">On hold </span>
            {signedMoney(heldChange, currency)}
          </>
        )}
      </td>
      <td className={`num ${styles.figure ?? ''} ${styles.balance ?? ''}`}>
        <span className="narrow">Balance </span>
        {exactMoney(after.balance, currency)}
      </td>
    </tr>
  );
}

function SkeletonRow() {
  return (
    <tr aria-hidden="true">
      <td className={styles.date}>
        <Skeleton width="14ch" />
      </td>
      <td className={styles.lead}>
        <Skeleton width="20ch" />
      </td>
      <td className={`${styles.figure ?? ''} ${styles.change ?? ''}`}>
        <Skeleton width="8ch" />
      </td>
      <td className={`${styles.figure ?? ''} ${styles.held ?? ''}`} />
      <td className={`${styles.figure ?? ''} ${styles.balance ?? ''}`}>
        <Skeleton width="8ch" />
      </td>
    </tr>
  );
}
