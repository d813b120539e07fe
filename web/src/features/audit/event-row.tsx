import { memo } from 'react';
import type { AuditEvent } from '#contracts';
import { Skeleton } from '../../ui';
import type { Column } from './columns';
import styles from './audit.module.css';

function classOf({ isFigure, place }: Column): string {
  return `${isFigure ? `num ${styles.figure ?? ''}` : ''} ${place ?? styles.hidden ?? ''}`;
}

/** What the columns are called. */
export function EventHead({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.key} scope="col" className={classOf(column)}>
            {column.head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

type Props = {
  readonly event: AuditEvent;
  readonly columns: readonly Column[];
  readonly isSelected: boolean;
  readonly onOpen: (eventId: string) => void;
};

/** An event in a row. Its name opens it; on a phone the whole row does. */
export const EventRow = memo(function EventRow({ event, columns, isSelected, onOpen }: Props) {
  return (
    <tr data-event={event.id} data-selected={isSelected} aria-current={isSelected || undefined}>
      {columns.map((column) => (
        <td key={column.key} className={classOf(column)}>
          {column.key === 'type' ? (
            <button type="button" className={styles.open} onClick={() => onOpen(event.id)}>
              {column.cell(event)}
            </button>
          ) : (
            column.cell(event)
          )}
        </td>
      ))}
    </tr>
  );
});

/** A row whose event is not there yet. */
export function SkeletonRow({ columns }: Pick<Props, 'columns'>) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.key} className={classOf(column)}>
          <Skeleton width={column.isFigure ? '6ch' : '12ch'} />
        </td>
      ))}
    </tr>
  );
}
