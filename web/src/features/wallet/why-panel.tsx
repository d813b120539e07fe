import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import X from 'lucide-react/icons/x';
import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import type { Currency, Why } from '#contracts';
import { detailOf, useWhyInfiniteQuery } from '../../api';
import { exactMoney, shortId, signedMoney } from '../../lib';
import { Copyable, LoadFailed, Notice, Skeleton, useFocusBack, When } from '../../ui';
import { conversionOf, directionOf, proofOf, sumOf, titleOf, type WhyEntry } from './why-model';
import styles from './why-panel.module.css';

/** Rows that stand for what is being loaded. */
const SKELETON_ROWS = 4;

function actorOf({ actor }: WhyEntry): string {
  return actor.name === '' ? `by ${actor.role}` : `by ${actor.name}`;
}

function Postings({ entry }: { readonly entry: WhyEntry }) {
  return (
    <details className={styles.more}>
      <summary>Postings</summary>
      <table>
        <caption className="visually-hidden">Postings of event {entry.revision}; they add up to zero</caption>
        <tbody>
          {entry.postings.map(({ account, currency, amount }) => (
            <tr key={`${account} ${currency}`}>
              <th scope="row" className="code">
                {account.replace(/^customer\/[^/]+\//, 'customer/')}
              </th>
              <td className="num">{signedMoney(amount, currency)}</td>
              <td className="soft">{currency}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl>
        {entry.requestId !== undefined && (
          <>
            <dt>Request</dt>
            <dd>
              <Copyable text={entry.requestId} what="Request id" />
            </dd>
          </>
        )}
        <dt>Event</dt>
        <dd>
          <Copyable text={entry.eventId} what="Event id" />
        </dd>
        <dt>Chain</dt>
        <dd>
          <Copyable text={entry.chain} shown={shortId(entry.chain)} what="Chain" />
        </dd>
      </dl>
    </details>
  );
}

type EntryProps = Pick<Props, 'currency' | 'placeOf'> & { readonly entry: WhyEntry };

function Entry({ entry, currency, placeOf }: EntryProps) {
  const direction = directionOf(entry);
  return (
    <li className={styles[direction]}>
      <i aria-hidden="true" />
      <div className={styles.what}>
        <b>{titleOf(entry.type)}</b>
        <span className="soft">
          {actorOf(entry)}, {conversionOf(entry, currency)}
        </span>
        {entry.reason !== undefined && <span className={styles.reason}>“{entry.reason}”</span>}
        <span className="faint">
          <When iso={entry.at} />
          {entry.requestId !== undefined && `, request ${shortId(entry.requestId, 4, 4)}`}
        </span>
        <Postings entry={entry} />
        <Link
          className={`action ${styles.place ?? ''}`}
          to={placeOf(entry.revision)}
          aria-label={`The account then, after event ${entry.revision}`}
        >
          The account then
        </Link>
      </div>
      <div className={`num ${styles.amount}`}>
        <b>{direction === 'held' ? 'hold' : signedMoney(entry.change, currency)}</b>
        <span className="faint">
          <span className="visually-hidden">Balance </span>
          {exactMoney(entry.balanceAfter, currency)}
        </span>
      </div>
    </li>
  );
}

function Footer({ pages }: { readonly pages: readonly Why[] }) {
  const newest = pages[0];
  if (newest === undefined) return null;
  const entries = pages.flatMap((page) => page.entries);
  const proof = proofOf(newest, entries, pages.at(-1)?.before ?? null);
  const chained = pages.every((page) => page.chainVerified);
  return (
    <footer className={styles.foot}>
      {proof === 'adds-up' && <p>{sumOf(entries.length, shortId(newest.stream, 12, 4))}</p>}
      {proof === 'more-to-load' && <p>Older events made the rest of this balance.</p>}
      {proof === 'broken' && (
        <p role="alert" className="debit">
          These lines do not add up to the balance. Please report this to the operator.
        </p>
      )}
      <p className={chained ? styles.chain : 'debit'}>
        {chained ? <ShieldCheck className="icon small credit" /> : <ShieldAlert className="icon small" />}
        {chained ? 'chain verified' : 'chain broken'}
      </p>
    </footer>
  );
}

function Loading() {
  return (
    <ol aria-hidden="true">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <li key={row}>
          <i />
          <div className={styles.what}>
            <b>
              <Skeleton width="18ch" />
            </b>
            <span>
              <Skeleton width="24ch" />
            </span>
          </div>
          <div className={styles.amount}>
            <Skeleton width="8ch" />
          </div>
        </li>
      ))}
    </ol>
  );
}

type Props = {
  readonly userId: string;
  readonly currency: Currency;
  /** Where the account is shown as it was right after one of its events. */
  readonly placeOf: (revision: number) => string;
  readonly onClose: () => void;
};

/** Why a balance is what it is: a statement read from the newest line down to the first. */
export function WhyPanel({ userId, currency, placeOf, onClose }: Props) {
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useWhyInfiniteQuery({
    userId,
    currency,
  });
  useFocusBack();
  useEffect(() => title.current?.focus(), [currency]);
  const pages = data?.pages ?? [];
  const balance = pages[0]?.balance;
  return (
    <section
      className={`card ${styles.panel}`}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <header>
        <h2 id={titleId} ref={title} tabIndex={-1} className="num">
          {balance === undefined
            ? `Why this ${currency} balance`
            : `Why ${exactMoney(balance, currency)} ${currency}`}
        </h2>
        <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
          <X className="icon" />
        </button>
      </header>
      {data === undefined && error === undefined && <Loading />}
      {data === undefined && error !== undefined && (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      )}
      {data !== undefined && pages[0]?.entries.length === 0 && (
        <Notice title="No logs available.">Nothing has moved this balance yet.</Notice>
      )}
      <ol>
        {pages.flatMap((page) =>
          page.entries.map((entry) => (
            <Entry key={entry.eventId} entry={entry} currency={currency} placeOf={placeOf} />
          )),
        )}
      </ol>
      {hasNextPage && (
        <button
          type="button"
          className={`action ${styles.older}`}
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? 'Please wait' : 'Show older'}
        </button>
      )}
      <Footer pages={pages} />
    </section>
  );
}
