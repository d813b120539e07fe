import { useSearchParams } from 'react-router';
import type { Currency, TrialPostings } from '#contracts';
import { adminRoutes, detailOf } from '../../api';
import { grouped, shortId, signedMoney } from '../../lib';
import { ListCard, LoadFailed, Notice, Pager, Skeleton } from '../../ui';
import { CsvButton } from '../csv';
import { useTrialPostingsQuery } from './api';
import { actorOf } from './columns';
import { withParameters } from './filter';
import { Inspector, type Ways } from './inspector';
import { Instant } from './instant';
import { classNames, type LedgerClass, type Moment } from './moment';
import styles from './audit.module.css';

type Props = {
  readonly account: LedgerClass;
  readonly currency: Currency;
  readonly moment: Moment;
  readonly ways: Ways;
};

type RowProps = {
  readonly item: TrialPostings['items'][number];
  readonly currency: Currency;
  readonly isSelected: boolean;
  readonly onOpen: () => void;
};

function PostingRow({ item: { event, amount, postings }, currency, isSelected, onOpen }: RowProps) {
  const accounts = [...new Set(postings.map(({ account }) => account))];
  return (
    <tr data-event={event.id} data-selected={isSelected}>
      <td className={`num ${styles.figure ?? ''} ${styles.hidden ?? ''}`}>
        {event.position !== undefined && grouped(event.position)}
      </td>
      <td className={styles.time}>
        <Instant iso={event.at} />
      </td>
      <td className={styles.type}>
        <button type="button" className={styles.open} onClick={onOpen}>
          {event.type}
        </button>
      </td>
      <td className={styles.hidden}>
        <span className="code" title={accounts.join(' ')}>
          {accounts.map((one) => one.replace(/[^/]{20,}/, (id) => shortId(id))).join(', ')}
        </span>
      </td>
      <td className={styles.actor}>{actorOf(event)}</td>
      <td className={`num ${styles.figure ?? ''} ${styles.moves ?? ''}`}>{signedMoney(amount, currency)}</td>
    </tr>
  );
}

type TableProps = {
  readonly page: TrialPostings | undefined;
  readonly currency: Currency;
  readonly selected: string | undefined;
  readonly onOpen: (eventId: string) => void;
};

function PostingTable({ page, currency, selected, onOpen }: TableProps) {
  return (
    <table className={`two-line ${styles.table ?? ''}`} aria-busy={page === undefined}>
      <thead>
        <tr>
          <th scope="col" className={styles.figure}>
            Position
          </th>
          <th scope="col">Time</th>
          <th scope="col">Event</th>
          <th scope="col">Account</th>
          <th scope="col">Actor</th>
          <th scope="col" className={styles.figure}>
            {currency}
          </th>
        </tr>
      </thead>
      <tbody>
        {page === undefined && (
          <tr>
            <td colSpan={6}>
              <Skeleton width="70%" />
            </td>
          </tr>
        )}
        {page?.items.map((item) => (
          <PostingRow
            key={item.event.id}
            item={item}
            currency={currency}
            isSelected={item.event.id === selected}
            onOpen={() => onOpen(item.event.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

/** The events behind a figure of the trial balance, newest first: they add up to it. */
export function CellPostings({ account, currency, moment, ways }: Props) {
  const [search, setSearch] = useSearchParams();
  const cursor = search.get('cursor') ?? undefined;
  const selected = search.get('event') ?? undefined;
  const asked = { account, currency, ...moment };
  const { currentData, error, refetch } = useTrialPostingsQuery({ ...asked, cursor });
  const items = currentData?.items ?? [];
  const go = (changes: Parameters<typeof withParameters>[1], replace = false) =>
    setSearch((now) => withParameters(now, changes), { replace });
  return (
    <div className={`${styles.split ?? ''} ${styles.behind ?? ''}`} data-beside={selected !== undefined}>
      <ListCard
        title={`Behind ${classNames[account]}, ${currency}`}
        action={
          <CsvButton
            isThere={items.length > 0}
            take={(download) => download(adminRoutes.trialPostings, asked, `${account}-${currency}.csv`)}
          />
        }
      >
        {error !== undefined ? (
          <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
        ) : (
          <>
            <PostingTable
              page={currentData}
              currency={currency}
              selected={selected}
              onOpen={(event) => go({ event }, true)}
            />
            {currentData !== undefined && items.length === 0 && (
              <Notice title={currentData.next === null ? 'No logs available.' : 'Nothing found so far.'} />
            )}
            <Pager
              first={currentData?.first ?? 1}
              count={items.length}
              previous={currentData?.previous ?? null}
              next={currentData?.next ?? null}
              onGo={(place) => go({ cursor: place })}
            />
          </>
        )}
      </ListCard>
      {selected !== undefined && (
        <Inspector
          eventId={selected}
          ways={ways}
          onGo={(event) => go({ event }, true)}
          onClose={() => go({ event: undefined }, true)}
        />
      )}
    </div>
  );
}
