import { Button } from '@mantine/core';
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AuditPage } from '#contracts';
import { detailOf } from '../../api';
import { LoadFailed, Notice } from '../../ui';
import type { Column } from './columns';
import { EventHead, EventRow, SkeletonRow } from './event-row';
import type { EventFilter } from './filter';
import { JumpForm } from './jump-form';
import { endOf, isLost, shiftOf, type Side, type Start, type Stretch } from './stretch';
import { useStretch, type Held } from './use-stretch';
import styles from './audit.module.css';

/** Rows that stand ready above and below what is in view, and how near an end of what is there more is asked for. */
const SPARE = 4;
const NEAR = 40;
/** Rows are all of one height, which the style sheet gives them; this is for the moment before there is one. */
const ROW_HEIGHT = 40;
const SKELETON_ROWS = 10;
const sides = ['newer', 'older'] as const;
const nothing: Held = { stretch: [], room: 0, begun: 0, newerRows: 0 };

type Props = {
  readonly filter: EventFilter;
  readonly start: Start;
  /** Rises where the list is to begin anew. */
  readonly renewed: number;
  /** The first page of the list where that is there already. */
  readonly shown: (filter: EventFilter) => AuditPage | undefined;
  readonly columns: readonly Column[];
  readonly selected: string | undefined;
  readonly onOpen: (eventId: string) => void;
  readonly onJump: (to: string | undefined) => void;
};

/** The rows of a list that are in view, where all rows are of one height. */
function useWindow(count: number) {
  const [view, setView] = useState({ top: 0, height: 0 });
  const [row, setRow] = useState(ROW_HEIGHT);
  const scroller = useRef<HTMLDivElement>(null);
  const measure = () => {
    const box = scroller.current;
    if (box === null) return;
    const first = box.querySelector<HTMLElement>('tr[data-event]')?.offsetHeight ?? 0;
    if (first > 0 && first !== row) setRow(first);
    setView({ top: box.scrollTop, height: box.clientHeight });
  };
  const from = Math.max(0, Math.min(Math.floor(view.top / row) - SPARE, count));
  const to = Math.min(count, Math.ceil((view.top + view.height) / row) + SPARE);
  return { scroller, measure, row, from, to };
}

/** What is above a stretch that just changed grew or shrank: what is looked at stays where it is. */
function useStill(held: Held, newerRows: number, { scroller, measure, row }: Windowed) {
  const shown = useRef(nothing);
  useLayoutEffect(() => {
    const box = scroller.current;
    const before = shown.current;
    if (box === null || before.stretch === held.stretch) return;
    shown.current = held;
    const shift = shiftOf(before.stretch, held.stretch) + held.room - before.room;
    // To ask where the list stands would have it laid out for that.
    if (before.begun === held.begun && shift === 0) return;
    if (before.begun === held.begun) box.scrollTop += shift * row;
    else box.scrollTop = newerRows * row;
    measure();
  });
}
type Windowed = ReturnType<typeof useWindow>;

const Jumps = memo(function Jumps({ onJump }: Pick<Props, 'onJump'>) {
  return (
    <div className={styles.jumps} role="group" aria-label="Jump">
      <Button variant="default" size="xs" onClick={() => onJump(undefined)}>
        Newest
      </Button>
      <Button variant="default" size="xs" onClick={() => onJump('oldest')}>
        Oldest
      </Button>
      <JumpForm onJump={onJump} />
    </div>
  );
});

/** All events in one list that is scrolled: only rows in view are there, and only pages near them are kept. */
export function AllEvents({ filter, start, renewed, shown, columns, selected, onOpen, onJump }: Props) {
  const { held, error, grow, retry } = useStretch(filter, start, renewed, shown);
  const { stretch, room, newerRows } = held ?? nothing;
  const rows = useMemo(() => stretch.flatMap((part) => part.rows), [stretch]);
  const view = useWindow(room + rows.length);
  const { scroller, measure, row } = view;
  // In the room above there is no row until its page has come again.
  const [from, to] = [Math.max(0, view.from - room), Math.max(0, view.to - room)];
  useStill(held ?? nothing, start === 'oldest' ? rows.length : newerRows, view);
  useLayoutEffect(() => {
    if (held === undefined) return;
    if (from < NEAR && !isLost(stretch, 'newer')) void grow('newer');
    if (rows.length - to < NEAR && !isLost(stretch, 'older')) void grow('older');
  });
  if (error !== undefined) return <LoadFailed detail={detailOf(error)} onRetry={retry} />;
  const space = (count: number) =>
    count > 0 && (
      <tr aria-hidden="true" className={styles.space}>
        <td colSpan={columns.length} style={{ height: count * row }} />
      </tr>
    );
  return (
    <>
      <Jumps onJump={onJump} />
      <div
        ref={scroller}
        className={styles.scroller}
        role="region"
        aria-label="All events"
        tabIndex={0}
        onScroll={measure}
      >
        <table
          className={`two-line ${styles.table ?? ''} ${styles.virtual ?? ''}`}
          aria-rowcount={-1}
          aria-busy={held === undefined}
        >
          <EventHead columns={columns} />
          <tbody>
            {held === undefined &&
              Array.from({ length: SKELETON_ROWS }, (_, at) => <SkeletonRow key={at} columns={columns} />)}
            {space(room + from)}
            {rows.slice(from, to).map((event) => (
              <EventRow
                key={event.id}
                event={event}
                columns={columns}
                isSelected={event.id === selected}
                onOpen={onOpen}
              />
            ))}
            {space(rows.length - to)}
          </tbody>
        </table>
        {held !== undefined && rows.length === 0 && (
          <Notice
            title={
              sides.some((side) => isLost(stretch, side)) ? 'Nothing found so far.' : 'No logs available.'
            }
          />
        )}
      </div>
      <Foot held={held} above={room + from} below={rows.length - to} onGrow={(side) => void grow(side)} />
    </>
  );
}

type FootProps = {
  readonly held: Held | undefined;
  /** Rows that are there but not in view. */
  readonly above: number;
  readonly below: number;
  readonly onGrow: (side: Side) => void;
};

/** Where in the list one is, and the way on where a search found nothing so far. */
function Foot({ held, above, below, onGrow }: FootProps) {
  const stretch = held?.stretch ?? [];
  return (
    <div className={`soft ${styles.listFoot ?? ''}`}>
      <span role="status">{held !== undefined && footOf(stretch, above, below)}</span>
      {sides.map(
        (side) =>
          isLost(stretch, side) && (
            <button key={side} type="button" className="action" onClick={() => onGrow(side)}>
              Look further
            </button>
          ),
      )}
    </div>
  );
}

function footOf(stretch: Stretch, above: number, below: number): string {
  const isTop = above === 0 && endOf(stretch, 'newer') === null;
  const isBottom = below === 0 && endOf(stretch, 'older') === null;
  if (isTop && isBottom) return 'All events, newest first';
  if (isTop) return 'The newest event is at the top';
  return isBottom ? 'The oldest event is at the bottom' : 'Newest first';
}
