import type { SecurityEvents } from '#contracts';
import { detailOf, useOwnSecurityEventsInfiniteQuery } from '../../api';
import { LoadFailed, Notice, Skeleton, When } from '../../ui';
import { nameOfAgent } from './agent';
import styles from './settings.module.css';

type SecurityEvent = SecurityEvents['events'][number];

/** Who did it, where it was not the person. */
const doers: Readonly<Record<SecurityEvent['by'], string>> = {
  owner: '',
  visitor: '',
  admin: ', by the operator',
  system: ', by Lode',
};

/** What happened to how the person comes in, newest first. */
export function SecurityHistory() {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } =
    useOwnSecurityEventsInfiniteQuery();
  if (data === undefined && error !== undefined)
    return <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />;
  const events = data?.pages.flatMap((page) => page.events);
  return (
    <div className={`card ${styles.sessions}`}>
      {events?.length === 0 && <Notice title="No logs available." />}
      <ul aria-label="Security history">
        {events === undefined && (
          <li>
            <Skeleton width="24ch" />
          </li>
        )}
        {events?.map((event) => (
          <Line key={event.eventId} event={event} />
        ))}
      </ul>
      {hasNextPage && (
        <div className={styles.all}>
          <button
            type="button"
            className="action"
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {isFetchingNextPage ? 'Please wait' : 'Show older'}
          </button>
        </div>
      )}
    </div>
  );
}

function Line({ event }: { readonly event: SecurityEvent }) {
  const { description, at, by, address, agent } = event;
  return (
    <li>
      <b>
        {description}
        {doers[by]}
      </b>
      <span className="soft num">
        <When iso={at} />
        {address !== undefined && `, from ${address}`}
        {agent !== undefined && <span title={agent}>, {nameOfAgent(agent)}</span>}
      </span>
    </li>
  );
}
