import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { detailOf, refusalOf } from '../../api';
import { grouped } from '../../lib';
import { LoadFailed, notifyError, notifySuccess, Skeleton } from '../../ui';
import { useMay } from '../duty';
import { useParkedEventsQuery, useReplayParkedMutation, whileLookedAt, type Parked } from './api';
import { DiscardDialog } from './model-acts';
import styles from './operations.module.css';

type Props = {
  readonly model: string;
  readonly streamOf: (stream: string, revision: number) => string;
  readonly onChanged: () => void;
};

/** The events that a read model is without, in its row: why, and what to do about each. */
export function ParkedEvents({ model, streamOf, onChanged }: Props) {
  const [after, setAfter] = useState<string>();
  const parked = useParkedEventsQuery({ model, ...(after !== undefined && { after }) }, whileLookedAt);
  const [discarding, setDiscarding] = useState<Parked>();
  const { data } = parked;
  const changed = () => {
    void parked.refetch();
    onChanged();
  };
  if (data === undefined)
    return parked.error === undefined ? (
      <Skeleton width="40ch" />
    ) : (
      <LoadFailed detail={detailOf(parked.error)} onRetry={() => void parked.refetch()} />
    );
  return (
    <>
      <ul className={styles.parked} aria-label={`Parked events of ${model}`}>
        {data.items.map((event) => (
          <ParkedEvent
            key={event.eventId}
            model={model}
            event={event}
            streamOf={streamOf}
            onDiscard={() => setDiscarding(event)}
            onChanged={changed}
          />
        ))}
      </ul>
      {(after !== undefined || data.next !== null) && (
        <nav className={styles.pages} aria-label={`Pages of ${model}`}>
          <Button
            variant="default"
            size="xs"
            disabled={after === undefined}
            onClick={() => setAfter(undefined)}
          >
            First
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={data.next === null}
            onClick={() => setAfter(data.next ?? undefined)}
          >
            Next
          </Button>
        </nav>
      )}
      {discarding !== undefined && (
        <DiscardDialog
          model={model}
          event={discarding}
          onDone={changed}
          onClose={() => setDiscarding(undefined)}
        />
      )}
    </>
  );
}

type EventProps = Props & { readonly event: Parked; readonly onDiscard: () => void };

function ParkedEvent({ model, event, streamOf, onDiscard, onChanged }: EventProps) {
  const { position, type, stream, revision, state } = event;
  const [isOpen, setOpen] = useState(false);
  const mayOperate = useMay('operate');
  return (
    <li>
      <div className={styles.event}>
        <span className="num">{grouped(position)}</span>
        <b>{type}</b>
        <span className="soft">{whyOf(event)}</span>
        <span className={styles.acts}>
          <Button
            variant="default"
            size="xs"
            aria-expanded={isOpen}
            aria-label={`Inspect ${type} at ${position}`}
            onClick={() => setOpen(!isOpen)}
          >
            Inspect
          </Button>
          {mayOperate && state === 'parked' && (
            <>
              <Replay model={model} event={event} onChanged={onChanged} />
              <Button
                variant="subtle"
                size="xs"
                aria-label={`Discard ${type} at ${position}`}
                onClick={onDiscard}
              >
                Discard
              </Button>
            </>
          )}
          <Link to={streamOf(stream, revision)}>Open stream</Link>
        </span>
      </div>
      {isOpen && (
        <pre className={styles.json} tabIndex={0} role="group" aria-label={`${type} at ${position}`}>
          {event.event === null ? 'The log can’t read it.' : JSON.stringify(event.event, null, 2)}
        </pre>
      )}
    </li>
  );
}

function Replay({ model, event, onChanged }: Pick<EventProps, 'model' | 'event' | 'onChanged'>) {
  const [replay, { isLoading }] = useReplayParkedMutation();
  const send = async () => {
    const { data, error } = await replay({ model, stream: event.stream });
    if (error !== undefined) {
      const refusal = refusalOf(error, { failed: 'The events could not be replayed.' });
      if (refusal.kind === 'refused') notifyError(refusal.message);
    } else if (data.left > 0) {
      notifyError(`${data.replayed} replayed, ${data.left} of ${event.stream} still parked.`);
    } else {
      const events = data.replayed === 1 ? '1 event' : `${data.replayed} events`;
      notifySuccess(`${events} of ${event.stream} replayed.`);
    }
    onChanged();
  };
  return (
    <Button
      size="xs"
      disabled={isLoading}
      aria-label={`Replay ${event.type} at ${event.position}`}
      onClick={() => void send()}
    >
      {isLoading ? 'Please wait' : 'Replay'}
    </Button>
  );
}

function whyOf({ state, attempts, error, stream }: Parked) {
  if (state === 'discarded') return `Discarded: the model goes on without this event of ${stream}.`;
  if (state === 'waiting') return `Waits behind an earlier event of ${stream}.`;
  return (
    <>
      Parked after {attempts} {attempts === 1 ? 'try' : 'tries'}: <code>{error}</code>
    </>
  );
}
