import type { ComponentProps, ReactNode } from 'react';
import { DataTable } from './data-table';
import { LoadFailed, Notice } from './notice';
import { Pager } from './pager';

type Page<Row> = {
  readonly items: readonly Row[];
  readonly first: number;
  readonly next: string | null;
  readonly previous: string | null;
};

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'rows'> & {
  /** Undefined as long as it is not there. */
  readonly page: Page<Row> | undefined;
  /** Why it could not be had; undefined where it could. */
  readonly failure?: { readonly detail: string | undefined; readonly onRetry: () => void } | undefined;
  readonly onGo: (cursor: string) => void;
  readonly order?: ComponentProps<typeof Pager>['order'];
  /** What stands in an empty list's place, where it is not that of the product. */
  readonly empty?: ReactNode;
};

/** A card with a page of anything, as keyset lists have it: newest first where nothing else is said, with Previous and Next. */
export function DataList<Row>({ page, failure, onGo, order, empty, ...table }: Props<Row>) {
  if (failure !== undefined && page === undefined)
    return (
      <section className="card" aria-label={table.label}>
        <LoadFailed {...failure} />
      </section>
    );
  return (
    <section className="card" aria-label={table.label}>
      <DataTable {...table} rows={page?.items} />
      {page?.items.length === 0 && (empty ?? <Notice title="No logs available." />)}
      <Pager
        first={page?.first ?? 1}
        count={page?.items.length ?? 0}
        previous={page?.previous ?? null}
        next={page?.next ?? null}
        onGo={onGo}
        order={order}
      />
    </section>
  );
}
