import { Button } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { PAGE_SIZE, type AuditPage } from '#contracts';
import { LoadFailed, Notice, Pager } from '../../ui';
import type { Column } from './columns';
import { EventHead, EventRow, SkeletonRow } from './event-row';
import { filterNames, withParameters } from './filter';
import styles from './audit.module.css';

type Props = {
  readonly page: AuditPage | undefined;
  readonly failed: { readonly detail: string | undefined; readonly retry: () => void } | undefined;
  readonly columns: readonly Column[];
  readonly selected: string | undefined;
  readonly onOpen: (eventId: string) => void;
};

/** One page of events, newest first. */
export function EventPages({ page, failed, columns, selected, onOpen }: Props) {
  const [search, setSearch] = useSearchParams();
  if (failed !== undefined) return <LoadFailed detail={failed.detail} onRetry={failed.retry} />;
  const items = page?.items ?? [];
  return (
    <>
      <table className={`two-line ${styles.table ?? ''}`} aria-busy={page === undefined}>
        <EventHead columns={columns} />
        <tbody>
          {page === undefined &&
            Array.from({ length: PAGE_SIZE }, (_, at) => <SkeletonRow key={at} columns={columns} />)}
          {items.map((event) => (
            <EventRow
              key={event.id}
              event={event}
              columns={columns}
              isSelected={event.id === selected}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      </table>
      {page !== undefined && items.length === 0 && <Empty isEnd={page.next === null} />}
      <Pager
        first={page?.first ?? 1}
        count={items.length}
        previous={page?.previous ?? null}
        next={page?.next ?? null}
        onGo={(cursor) => setSearch(withParameters(search, { cursor }))}
      />
    </>
  );
}

/** Nothing there, or nothing among the events that one page may look at. */
function Empty({ isEnd }: { readonly isEnd: boolean }) {
  const [search, setSearch] = useSearchParams();
  if (!isEnd)
    return (
      <Notice title="Nothing found so far.">
        A page looks at a thousand events at most. Next goes on from there.
      </Notice>
    );
  const isFiltered = filterNames.some((name) => search.has(name));
  if (!isFiltered) return <Notice title="No logs available." />;
  const none = Object.fromEntries([...filterNames, 'cursor'].map((name) => [name, undefined]));
  return (
    <Notice
      title="No logs available."
      action={
        <Button variant="default" size="xs" onClick={() => setSearch(withParameters(search, none))}>
          Remove filters
        </Button>
      }
    >
      Nothing matches these filters.
    </Notice>
  );
}
