import { formatTime, grouped, shortId } from '../../lib';
import type { CaseEvent } from './use-case';
import styles from './case-file.module.css';

/** Every event with who did it and why, in the order of the log. */
export function CaseEvents({ events }: { readonly events: readonly CaseEvent[] }) {
  return (
    <table className={`two-line ${styles.table ?? ''}`} aria-label="Events, in the order of the log">
      <thead>
        <tr>
          <th scope="col">Position</th>
          <th scope="col">Time</th>
          <th scope="col">Event</th>
          <th scope="col">Stream</th>
          <th scope="col">By</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <td className="num">{grouped(event.position)}</td>
            <td className="num soft">
              <time dateTime={event.at}>{formatTime(event.at)}</time>
            </td>
            <td className={styles.type}>{event.type}</td>
            <td className="num soft">
              {kindOf(event.stream)}, {event.revision}
            </td>
            <td className="soft">{actorOf(event)}</td>
            <td className={styles.reason}>{textIn(event.meta, 'reason')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What kind of stream it is: whose it is, the page says. */
export function kindOf(stream: string): string {
  return stream.split('-')[0] ?? stream;
}

/** The person's own doings are told from those of others by the id. */
function actorOf({ meta, stream }: CaseEvent): string {
  const { id, kind, role } = meta['actor'] as { id: string; kind: string; role: string };
  if (kind !== 'person') return kind === 'operator' ? 'operator' : `Lode, ${id}`;
  return stream.endsWith(`-${id}`) ? 'the person' : `${role} ${shortId(id)}`;
}

/** A text of an event’s envelope; empty where there is none. */
export function textIn(meta: CaseEvent['meta'], name: string): string {
  const value = meta[name];
  return typeof value === 'string' ? value : '';
}
