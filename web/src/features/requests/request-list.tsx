import { Button, Menu } from '@mantine/core';
import ListFilter from 'lucide-react/icons/list-filter';
import X from 'lucide-react/icons/x';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { detailOf } from '../../api';
import { LoadFailed, MenuButton, Notice, Pager } from '../../ui';
import {
  choices,
  labels,
  requestIn,
  viewOf,
  withCursor,
  withFilter,
  withoutRequest,
  type FilterName,
} from './filter';
import type { AnyRequest, Kind } from './kind';
import { ListBar } from './list-bar';
import { RequestTable } from './request-table';
import { useRequestList, type Row } from './use-request-list';
import styles from './request-list.module.css';

const OneRequest = lazy(() => import('./one-request'));

function Filters({ names }: { readonly names: readonly FilterName[] }) {
  const [search, setSearch] = useSearchParams();
  const view = viewOf(search);
  const unset = names.filter((name) => view[name] === undefined);
  return (
    <>
      {names.map(
        (name) =>
          view[name] !== undefined && (
            <span key={name} className={styles.chip}>
              {labels[name]}: {view[name]}
              <button
                type="button"
                aria-label={`Remove filter ${labels[name]}: ${view[name]}`}
                onClick={() => setSearch(withFilter(search, name))}
              >
                <X className="icon small" />
              </button>
            </span>
          ),
      )}
      {unset.length > 0 && (
        <MenuButton
          trigger={
            <>
              <ListFilter className="icon small" /> Add filter
            </>
          }
          className={styles.add}
          align="start"
        >
          {unset.map((name, group) => (
            <div key={name} role="group" aria-label={labels[name]}>
              <Menu.Label aria-hidden="true">{labels[name]}</Menu.Label>
              {choices[name].map((value, at) => (
                <Menu.Item
                  key={value}
                  data-autofocus={group + at === 0 || undefined}
                  onClick={() => setSearch(withFilter(search, name, value))}
                >
                  {value}
                </Menu.Item>
              ))}
            </div>
          ))}
        </MenuButton>
      )}
    </>
  );
}

/** Says that there is nothing, and what to do about it: another filter, or a first request. */
function Empty({ names, toFirst }: { readonly names: readonly FilterName[]; readonly toFirst: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const view = viewOf(search);
  if (names.every((name) => view[name] === undefined))
    return <Notice title="No logs available." action={toFirst} />;
  const clear = () => setSearch(names.reduce((before, name) => withFilter(before, name), search));
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

type Props<Request extends AnyRequest> = {
  readonly kind: Kind<Request>;
  /** Whose requests; without one everybody's. */
  readonly userId?: string;
  readonly forAdmin: boolean;
  /** What to do where there is nothing yet. */
  readonly toFirst?: ReactNode;
  /** Stands before the filters. */
  readonly before?: ReactNode;
  /** The dialog of a row; it gets the row as it is now, also when it changes while the dialog is open. */
  readonly dialog: (row: Row<Request>, close: () => void) => ReactNode;
};

/** A filtered, paged, live list of requests. Filters and place are in the address. */
export function RequestList<Request extends AnyRequest>({
  kind,
  userId,
  forAdmin,
  toFirst,
  before,
  dialog,
}: Props<Request>) {
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<Row<Request>>();
  const { rows, page, waiting, isLoading, error, retry, showNew } = useRequestList(kind, {
    userId,
    ...viewOf(search),
  });
  const named = requestIn(search);
  const current = opened && (rows.find(({ request }) => request.id === opened.request.id) ?? opened);
  return (
    <>
      <ListBar waiting={waiting} onShowNew={showNew}>
        {before}
        <Filters names={kind.filters} />
      </ListBar>
      <section className={`card ${styles.list}`} aria-label="Requests">
        {error === undefined ? (
          <>
            <RequestTable
              columns={kind.columns(forAdmin)}
              rows={rows}
              first={page?.first ?? 1}
              isLoading={isLoading}
              forAdmin={forAdmin}
              selected={current?.request.id}
              onOpen={setOpened}
            />
            {page !== undefined && rows.length === 0 && <Empty names={kind.filters} toFirst={toFirst} />}
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
      {named !== null && userId !== undefined && (
        <Suspense>
          <OneRequest
            userId={userId}
            request={{ id: named, kind: kind.name }}
            onClose={() => setSearch(withoutRequest(search), { replace: true })}
          />
        </Suspense>
      )}
    </>
  );
}
