import { useEffect, useMemo, useRef, useState } from 'react';
import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contracts';
import type { ListView } from './filter';
import type { Page, Pages } from './kind';

/** A row as the table shows it. `left` says that it no longer matches the filter: somebody decided it meanwhile. */
export type Row<Request> = { readonly request: Request; readonly left: boolean };

type Identified = { readonly id: string };

/**
 * The rows on screen, renewed from `fresh` without moving: a row that changed changes in place, a new one waits, and one
 * that no longer belongs stays and says so.
 */
export function settle<Request extends Identified>(
  shown: Page<Request>,
  fresh: Page<Request>,
): { rows: readonly Row<Request>[]; waiting: number } {
  const byId = new Map(fresh.items.map((request) => [request.id, request]));
  const known = new Set(shown.items.map((request) => request.id));
  const rows = shown.items.map((request) => {
    const current = byId.get(request.id);
    return { request: current ?? request, left: current === undefined };
  });
  const lastKnown = fresh.items.findLastIndex((request) => known.has(request.id));
  const ahead = lastKnown < 0 ? fresh.items : fresh.items.slice(0, lastKnown);
  return { rows, waiting: ahead.filter((request) => !known.has(request.id)).length };
}

/** Whose requests, which of them, from where and how many; without a `userId` everybody's, which only admins may ask. */
export type RequestFilter = ListView & {
  readonly userId?: string | undefined;
  readonly limit?: number | undefined;
};

/**
 * A page of requests that keeps still under the reader's hand. `waiting` counts new rows; `showNew` lets them in.
 */
export function useRequestList<Request extends Identified>(pages: Pages<Request>, filter: RequestFilter) {
  const { limit: size = PAGE_SIZE, ...asked } = filter;
  const { userId, kind, status, currency, transferType, cursor } = asked;
  const identity = JSON.stringify([userId, kind, status, currency, transferType, cursor]);
  const [shown, setShown] = useState<{ identity: string; page: Page<Request> }>();
  const [extra, setExtra] = useState(0);
  const limit = Math.min(size + extra, PAGE_SIZE_MAX);
  const query = pages.usePage({ ...asked, limit });
  const fresh = query.data;
  const held = shown?.identity === identity ? shown.page : undefined;

  useEffect(() => {
    // An empty list has nothing that could move under the reader's hand, so what comes is let in at once.
    const isSettled = held !== undefined && (held.items.length > 0 || fresh?.items.length === 0);
    if (isSettled || query.isFetching || fresh === undefined) return;
    setShown({ identity, page: { ...fresh, items: fresh.items.slice(0, size) } });
  }, [held, query.isFetching, fresh, identity, size]);

  const settled = useMemo(
    () => (held === undefined || fresh === undefined ? { rows: [], waiting: 0 } : settle(held, fresh)),
    [held, fresh],
  );

  // As many more are asked for as have come in, so that every row on screen stays among the answers.
  useEffect(() => {
    if (settled.waiting > extra) setExtra(settled.waiting);
  }, [settled.waiting, extra]);

  // For what is pressed and goes by that.
  const list = useRef<HTMLElement>(null);
  const goToList = () => list.current?.focus();

  return {
    ...settled,
    list,
    goToList,
    page: held,
    isLoading: held === undefined && query.error === undefined,
    error: held === undefined ? query.error : undefined,
    retry: () => void query.refetch(),
    showNew: () => {
      goToList();
      setExtra(0);
      setShown(undefined);
    },
  };
}
