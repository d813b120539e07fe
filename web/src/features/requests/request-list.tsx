import { Button } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { OpenRequest } from '#contracts';
import { detailOf } from '../../api';
import { LoadFailed, Notice, Pager } from '../../ui';
import { CsvButton } from '../csv';
import { requestIn, viewOf, withCursor, withFilter, withoutRequest, type FilterName } from './filter';
import { Filters } from './filters';
import type { Kind, Listed } from './kind';
import { ListBar } from './list-bar';
import { RequestTable } from './request-table';
import { useRequestList, type Row } from './use-request-list';
import styles from './request-list.module.css';

const OneRequest = lazy(() => import('./one-request'));

type EmptyProps = {
  readonly names: readonly FilterName[];
  readonly toFirst: ReactNode;
  readonly onClear: () => void;
};

/** Says that there is nothing, and what to do about it: another filter, or a first request. */
function Empty({ names, toFirst, onClear }: EmptyProps) {
  const [search, setSearch] = useSearchParams();
  const view = viewOf(search);
  if (names.every((name) => view[name] === undefined))
    return <Notice title="No logs available." action={toFirst} />;
  const clear = () => {
    onClear();
    setSearch(names.reduce((before, name) => withFilter(before, name), search));
  };
  return (
    <Notice
      title="No logs available."
      action={
        <Button variant="default" size="xs" onClick={clear}>
          Remove filters
        </Button>
      }
    >
      Nothing matches these filters.
    </Notice>
  );
}

/** The request that the address names, beside whatever the list shows. */
function Named({ userId, kind }: { readonly userId: string; readonly kind: OpenRequest['kind'] }) {
  const [search, setSearch] = useSearchParams();
  const named = requestIn(search);
  if (named === null) return null;
  return (
    <Suspense>
      <OneRequest
        userId={userId}
        request={{ id: named, kind }}
        onClose={() => setSearch(withoutRequest(search), { replace: true })}
      />
    </Suspense>
  );
}

type Props<Request extends Listed> = {
  readonly kind: Kind<Request>;
  /** Whose requests; without one everybody's. */
  readonly userId?: string | undefined;
  readonly forAdmin: boolean;
  /** Whether whoever looks at it decides; as `forAdmin` where it is left out. */
  readonly decides?: boolean;
  /** What to do where there is nothing yet. */
  readonly toFirst?: ReactNode;
  /** Stands before the filters. */
  readonly before?: ReactNode;
  /** The dialog of a row; it gets the row as it is now, also when it changes while the dialog is open. */
  readonly dialog: (row: Row<Request>, close: () => void) => ReactNode;
};

/** A filtered, paged, live list of requests. Filters and place are in the address. */
export function RequestList<Request extends Listed>({
  kind,
  userId,
  forAdmin,
  decides = forAdmin,
  toFirst,
  before,
  dialog,
}: Props<Request>) {
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<Row<Request>>();
  const { cursor, ...filter } = viewOf(search);
  const { rows, page, waiting, isLoading, error, list, retry, goToList, showNew } = useRequestList(kind, {
    userId,
    ...filter,
    cursor,
  });
  const current = opened && (rows.find(({ request }) => request.id === opened.request.id) ?? opened);
  return (
    <>
      <ListBar
        waiting={waiting}
        onShowNew={showNew}
        file={<CsvButton isThere={rows.length > 0} take={(way) => kind.take(way, { userId, ...filter })} />}
      >
        {before}
        <Filters names={kind.filters} />
      </ListBar>
      <section ref={list} tabIndex={-1} className={`card ${styles.list}`} aria-label="Requests">
        {error === undefined ? (
          <>
            <RequestTable
              columns={kind.columns}
              rows={rows}
              first={page?.first ?? 1}
              isLoading={isLoading}
              forAdmin={forAdmin}
              besideStatus={kind.besideStatus}
              decides={decides}
              selected={current?.request.id}
              onOpen={setOpened}
            />
            {page !== undefined && rows.length === 0 && (
              <Empty names={kind.filters} toFirst={toFirst} onClear={goToList} />
            )}
            <Pager
              first={page?.first ?? 1}
              count={rows.length}
              previous={page?.previous ?? null}
              next={page?.next ?? null}
              onGo={(cursor) => setSearch(withCursor(search, cursor))}
            />
          </>
        ) : (
          <LoadFailed detail={detailOf(error)} onRetry={retry} />
        )}
      </section>
      {current !== undefined && dialog(current, () => setOpened(undefined))}
      {userId !== undefined && kind.name !== undefined && !forAdmin && (
        <Named userId={userId} kind={kind.name} />
      )}
    </>
  );
}
