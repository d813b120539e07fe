import type { Causation } from '#contracts';
import { detailOf } from '../../api';
import { grouped, shortId } from '../../lib';
import { LoadFailed, Skeleton } from '../../ui';
import { useCausationQuery } from './api';
import { actorOf } from './columns';
import styles from './audit.module.css';

/** Deeper than this there is no more room to move to the right. */
const DEPTH_MAX = 6;

type Props = { readonly eventId: string; readonly onGo: (eventId: string) => void };

/** What led to an event, and what followed from it, in the order of reading. */
export function CausationTree({ eventId, onGo }: Props) {
  const { currentData, error, refetch } = useCausationQuery({ eventId });
  return (
    <section className={styles.part} aria-label="Causation">
      <h3 className="label">Causation</h3>
      {error !== undefined && <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />}
      {error === undefined && currentData === undefined && <Skeleton width="70%" />}
      {currentData !== undefined && (
        <ol className={styles.tree}>
          {currentData.events.map((event) => (
            <Caused key={event.id} event={event} isHere={event.id === eventId} onGo={onGo} />
          ))}
        </ol>
      )}
      {currentData?.truncated === true && <p className="soft">There are more than are shown here.</p>}
    </section>
  );
}

type CausedProps = {
  readonly event: Causation['events'][number];
  readonly isHere: boolean;
  readonly onGo: Props['onGo'];
};

function Caused({ event, isHere, onGo }: CausedProps) {
  const depth = Math.min(event.depth, DEPTH_MAX);
  return (
    <li aria-current={isHere || undefined} style={{ paddingLeft: `calc(${depth} * var(--space-3))` }}>
      {isHere ? (
        <b>{event.type}</b>
      ) : (
        <button type="button" className="action" onClick={() => onGo(event.id)}>
          {event.type}
        </button>
      )}{' '}
      <span className="soft">
        {actorOf(event)}, <span className="code">{shortId(event.stream, 12, 4)}</span>
        {event.position !== undefined && <span className="num"> {grouped(event.position)}</span>}
        <span className="visually-hidden">, level {event.depth + 1}</span>
      </span>
    </li>
  );
}
