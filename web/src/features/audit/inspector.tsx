import { Button } from '@mantine/core';
import X from 'lucide-react/icons/x';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { knownAgent, type EventDetails } from '#contracts';
import { detailOf } from '../../api';
import { grouped, shortId, useMedia } from '../../lib';
import { Copyable, Dialog, LoadFailed, Skeleton, useFocusBack } from '../../ui';
import { useOneEventQuery } from './api';
import { CausationTree } from './causation-tree';
import { ChainFoot } from './chain-foot';
import { actorOf } from './columns';
import { EventJson } from './event-json';
import { Instant } from './instant';
import { PostingList } from './posting-list';
import { StateDiff } from './state-diff';
import styles from './audit.module.css';

/** Where what would stand beside a list has to stand over it. */
const NARROW = '(max-width: 1100px)';

/** Where else an event leads. */
export type Ways = {
  readonly streamOf: (stream: string, revision: number) => string;
  readonly travelOf: (userId: string, revision: number) => string;
};

/** Where somebody had signed in: by which address, with what. */
function fromWords({ address, agent }: NonNullable<EventDetails['from']>): string {
  const device = agent === undefined ? undefined : (knownAgent(agent) ?? 'a program that is not known');
  return [address, device].filter((word) => word !== undefined).join(', ') || 'not kept';
}

function Facts({ event }: { readonly event: EventDetails }) {
  const { from, meta, stream } = event;
  const id = (text: string, what: string) => (
    <Copyable text={text} shown={shortId(text, 13, 6)} what={what} />
  );
  const rows: readonly (readonly [string, ReactNode])[] = [
    ['When', <Instant key="when" iso={event.at} />],
    ['By', actorOf(event)],
    ['Actor id', id(meta.actor.id, 'Actor id')],
    ['From', from === null ? undefined : fromWords(from)],
    ['Signed in', from === null ? undefined : <Instant key="signed in" iso={from.signedInAt} />],
    ['Reason', meta.reason && `“${meta.reason}”`],
    ['Stream', id(stream, 'Stream')],
    ['Event', id(event.id, 'Event id')],
    ['Position', event.position && id(event.position, 'Position')],
    ['Command', id(meta.commandId, 'Command id')],
    ['Correlation', id(meta.correlationId, 'Correlation id')],
    ['Session', meta.session && id(meta.session, 'Session id')],
  ];
  return (
    <dl className={styles.facts}>
      {rows.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

type BodyProps = {
  readonly event: EventDetails;
  readonly ways: Ways;
  readonly onGo: (eventId: string) => void;
};

/** All that there is to an event, from what moved to how it is chained. */
function Body({ event, ways, onGo }: BodyProps) {
  const owner = /^account-(.+)$/.exec(event.stream)?.[1];
  return (
    <>
      <CausationTree eventId={event.id} onGo={onGo} />
      <PostingList event={event} />
      {owner !== undefined && (
        <StateDiff
          userId={owner}
          revision={event.revision}
          travel={
            <Link className="action" to={ways.travelOf(owner, event.revision)}>
              Travel from here
            </Link>
          }
        />
      )}
      <Facts event={event} />
      <p className={styles.part}>
        <Link className="action" to={ways.streamOf(event.stream, event.revision)}>
          Read the stream from here
        </Link>
      </p>
      <EventJson event={event} />
      <ChainFoot event={event} />
    </>
  );
}

type Props = {
  readonly eventId: string;
  readonly ways: Ways;
  readonly onGo: (eventId: string) => void;
  readonly onClose: () => void;
};

/** One event beside the list that it was opened from; on a phone a sheet. */
export function Inspector({ eventId, ways, onGo, onClose }: Props) {
  const { currentData: event, error, refetch } = useOneEventQuery({ eventId });
  const isNarrow = useMedia(NARROW);
  const body =
    error !== undefined ? (
      <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
    ) : event === undefined ? (
      <p className={styles.part}>
        <Skeleton width="80%" />
      </p>
    ) : (
      <Body event={event} ways={ways} onGo={onGo} />
    );
  const title = event?.type ?? 'Event';
  const place = event && `Revision ${grouped(String(event.revision))} of ${event.stream}`;
  if (isNarrow)
    return (
      <Dialog title={title} width={560} onClose={onClose}>
        <div className={styles.sheet}>
          <p className={`soft ${styles.placeText ?? ''}`}>{place}</p>
          {body}
        </div>
      </Dialog>
    );
  return (
    <Beside title={title} place={place} eventId={eventId} onClose={onClose}>
      {body}
    </Beside>
  );
}

type BesideProps = {
  readonly title: string;
  readonly place: string | undefined;
  readonly eventId: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

function Beside({ title, place, eventId, onClose, children }: BesideProps) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // What the address already opened when the page came takes no focus away.
  const [opened] = useState(eventId);
  useFocusBack();
  useEffect(() => {
    if (eventId !== opened || document.activeElement !== document.body) heading.current?.focus();
  }, [eventId, opened]);
  return (
    <aside
      className={`card ${styles.inspector}`}
      aria-labelledby={titleId}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <header>
        <div>
          <h2 id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {place !== undefined && <p className={`soft ${styles.placeText ?? ''}`}>{place}</p>}
        </div>
        <Button
          variant="subtle"
          size="xs"
          aria-label="Close"
          className={styles.close ?? ''}
          onClick={onClose}
        >
          <X className="icon" />
        </Button>
      </header>
      {children}
    </aside>
  );
}
