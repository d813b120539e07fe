import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { AuditPage } from '#contracts';
import { detailOf } from '../../api';
import { useDisplay } from '../../lib';
import { AllEvents } from './all-events';
import { useEventPageQuery } from './api';
import { columnsAtFirst, columnsOf } from './columns';
import { EventBar } from './event-bar';
import { EventPages } from './event-pages';
import { filterNames, filterOf, withParameters, type EventFilter, type FilterName } from './filter';
import { Inspector, type Ways } from './inspector';
import { startOf } from './stretch';
import { useFresh } from './use-fresh';
import styles from './audit.module.css';

type Props = {
  readonly ways: Ways;
  /** What it always shows, whatever the address adds; filters of these names are not offered. */
  readonly fixed?: EventFilter;
  readonly names?: readonly FilterName[];
  /** The columns that it begins with. */
  readonly atFirst?: readonly string[];
};

/** What the address asks for, and the ways to change it. */
function useExplorer() {
  const [search, setSearch] = useSearchParams();
  const go = useCallback(
    (changes: Parameters<typeof withParameters>[1], replace = false) =>
      setSearch((now) => withParameters(now, changes), { replace }),
    [setSearch],
  );
  const open = useCallback((event: string) => go({ event }, true), [go]);
  return { search, go, open };
}

/** Gives the first page of a list, as long as that is what was on screen last. */
function useShown(
  filter: EventFilter,
  cursor: string | undefined,
  page: AuditPage | undefined,
  isAll: boolean,
) {
  const shown = useRef<{ readonly of: string; readonly page: AuditPage | undefined }>(undefined);
  useEffect(() => {
    if (!isAll) shown.current = { of: JSON.stringify(filter), page: cursor === undefined ? page : undefined };
  });
  return useCallback(
    (asked: EventFilter) => (shown.current?.of === JSON.stringify(asked) ? shown.current.page : undefined),
    [],
  );
}

/** Events by what they say about themselves, in pages or in one list, with one of them beside it. */
export function EventExplorer({ ways, fixed, names = filterNames, atFirst = columnsAtFirst }: Props) {
  const { search, go, open } = useExplorer();
  const filter = { ...filterOf(search, names), ...fixed };
  const isAll = search.get('view') === 'all';
  const cursor = search.get('cursor') ?? undefined;
  const display = useDisplay();
  // Rows are drawn again where their columns are others, and where times are written otherwise.
  const columns = useMemo(() => columnsOf(search, atFirst), [search, atFirst, display]);
  const selected = search.get('event') ?? undefined;
  const list = useRef<HTMLElement>(null);
  const { fresh, letIn } = useFresh(filter);
  const page = useEventPageQuery({ ...filter, cursor }, { skip: isAll, refetchOnMountOrArgChange: true });
  const shown = useShown(filter, cursor, page.currentData, isAll);
  const [renewed, setRenewed] = useState(0);
  const begin = (jump: string | undefined) => {
    setRenewed(renewed + 1);
    go({ jump }, true);
  };
  const showNew = () => {
    letIn();
    list.current?.focus();
    if (isAll) begin(undefined);
    else if (cursor === undefined) void page.refetch();
    else go({ cursor: undefined });
  };
  const { error, currentData } = page;
  const failed =
    error === undefined ? undefined : { detail: detailOf(error), retry: () => void page.refetch() };
  return (
    <>
      <EventBar filter={filter} names={names} atFirst={atFirst} fresh={fresh} onShowNew={showNew} />
      <div className={styles.split} data-beside={selected !== undefined}>
        <section ref={list} tabIndex={-1} className={`card ${styles.list ?? ''}`} aria-label="Events">
          {isAll ? (
            <AllEvents
              filter={filter}
              start={startOf(search)}
              renewed={renewed}
              shown={shown}
              columns={columns}
              selected={selected}
              onOpen={open}
              onJump={begin}
            />
          ) : (
            <EventPages
              page={currentData}
              failed={failed}
              columns={columns}
              selected={selected}
              onOpen={open}
            />
          )}
        </section>
        {selected !== undefined && (
          <Inspector
            eventId={selected}
            ways={ways}
            onGo={open}
            onClose={() => go({ event: undefined }, true)}
          />
        )}
      </div>
    </>
  );
}
