import { grouped } from '../../lib';
import { kindOf, textIn } from './case-events';
import type { CaseEvent } from './use-case';
import styles from './case-file.module.css';

/** How each stream ends: the hash of its last event covers all before it, so that paper can be held against the log. */
export function Heads({ events }: { readonly events: readonly CaseEvent[] }) {
  const last = new Map(events.map((event) => [event.stream, event]));
  return (
    <dl className={styles.heads} aria-label="How each stream ends">
      {[...last.values()].map(({ stream, revision, meta }) => (
        <div key={stream}>
          <dt>
            {kindOf(stream)}{' '}
            <span className="soft num">
              {revision === 0 ? '1 event' : `${grouped(String(revision + 1))} events`}
            </span>
          </dt>
          <dd className="code">{textIn(meta, 'chain')}</dd>
        </div>
      ))}
    </dl>
  );
}
