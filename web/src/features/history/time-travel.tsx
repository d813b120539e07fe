import type { AccountState } from '#contracts';
import { detailOf, useAccountEventsQuery } from '../../api';
import { formatTime } from '../../lib';
import { Copyable, LoadFailed, Segments, Skeleton, When } from '../../ui';
import { CHUNK, chunkOf, diffOf, momentOf, type Against, type OwnEvent } from './moments';
import { TimeSlider } from './time-slider';
import styles from './history.module.css';

const captions = { before: 'The step before', now: 'Now' } as const;
const choices: readonly Against[] = ['before', 'now'];

type Props = {
  readonly userId: string;
  readonly search: URLSearchParams;
  readonly onGo: (changes: { readonly at?: number; readonly against?: Against }) => void;
};

/** What an account was after each of its events, one at a time, beside the step before or what it is now. */
export function TimeTravel({ userId, search, onGo }: Props) {
  const newest = useAccountEventsQuery({ userId, limit: 1 });
  const last = newest.currentData?.revision ?? 0;
  const { at, against } = momentOf(search, last);
  const page = useAccountEventsQuery(
    { userId, order: 'oldest', from: chunkOf(at), limit: CHUNK },
    { skip: newest.currentData === undefined },
  );
  const { events = [], before = null } = page.currentData ?? {};
  const found = events.findIndex(({ revision }) => revision === at);
  const event = events[found];
  const failed = newest.currentData === undefined ? newest.error : event === undefined && page.error;
  if (failed !== undefined && failed !== false)
    return (
      <section className="card">
        <LoadFailed
          detail={detailOf(failed)}
          onRetry={() => void (newest.currentData === undefined ? newest : page).refetch()}
        />
      </section>
    );
  const previous = found > 0 ? (events[found - 1]?.after ?? null) : before;
  const now = newest.currentData?.events[0]?.after ?? null;
  return (
    <section className={`card ${styles.travel}`} aria-label="History" aria-busy={event === undefined}>
      <TimeSlider
        at={at}
        last={last}
        what={event && `${event.description}, ${formatTime(event.at)}`}
        onGo={(to) => onGo({ at: to })}
      />
      <EventFacts event={event} />
      <div className={styles.against}>
        <Segments
          label="Compared with"
          values={choices}
          value={against}
          captions={captions}
          onChange={(chosen) => onGo({ against: chosen })}
        />
      </div>
      <Comparison
        isLoading={event === undefined}
        then={event?.after ?? null}
        other={against === 'now' ? now : previous}
        against={against}
      />
      {page.currentData?.chainVerified === false && (
        <p role="alert" className={`debit ${styles.foot ?? ''}`}>
          The chain of these events is broken. Please report this to the operator.
        </p>
      )}
    </section>
  );
}

function EventFacts({ event }: { readonly event: OwnEvent | undefined }) {
  if (event === undefined)
    return (
      <div className={styles.event}>
        <h2>
          <Skeleton width="16ch" />
        </h2>
        <p>
          <Skeleton width="28ch" />
        </p>
      </div>
    );
  const { description, at, by, eventId, reason, requestId, position } = event;
  return (
    <div className={styles.event}>
      <h2>{description}</h2>
      <p className="soft">
        <When iso={at} />, by {by.name}
      </p>
      {reason !== undefined && <p>“{reason}”</p>}
      <dl className={styles.ids}>
        <dt>Event</dt>
        <dd>
          <Copyable text={eventId} what="Event id" />
        </dd>
        {position !== undefined && (
          <>
            <dt>Position</dt>
            <dd>
              <Copyable text={position} what="Position" />
            </dd>
          </>
        )}
        {requestId !== undefined && (
          <>
            <dt>Request</dt>
            <dd>
              <Copyable text={requestId} what="Request id" />
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

type ComparisonProps = {
  readonly isLoading: boolean;
  readonly then: AccountState | null;
  readonly other: AccountState | null;
  readonly against: Against;
};

function Comparison({ isLoading, then, other, against }: ComparisonProps) {
  return (
    <table className={`two-line ${styles.table ?? ''}`}>
      <caption className="visually-hidden">
        The account right after the event, beside {captions[against].toLowerCase()}
      </caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">After the event</th>
          <th scope="col">{captions[against]}</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {diffOf(then, other).map((line) => (
          <tr key={line.name} data-changed={!isLoading && line.change !== ''}>
            <th scope="row">{line.name}</th>
            <td className={`num ${styles.then ?? ''}`}>{isLoading ? <Skeleton width="8ch" /> : line.then}</td>
            <td className={`num soft ${styles.other ?? ''}`}>
              {isLoading ? (
                <Skeleton width="8ch" />
              ) : (
                <>
                  <span className="narrow">{captions[against]} </span>
                  {line.other}
                </>
              )}
            </td>
            <td className={`num ${styles.change ?? ''}`}>{isLoading ? '' : line.change}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
