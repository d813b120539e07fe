import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ListedRequest } from '#contracts';
import { detailOf, useClockQuery } from '../../api';
import { displayMoney } from '../../lib';
import { Ago, Approvals, later, ListCard, LoadFailed, Notice, Skeleton, Status } from '../../ui';
import { useApprovalsQuery, useChangesQuery } from '../approvals';
import { kindWords, NamedRequest, useAllRequestsQuery } from '../desk';
import { useMay } from '../duty';
import { useWatchedHealthQuery, useWatchedJobsQuery, useWatchedModelsQuery } from './api';
import { Line } from './line';
import { troublesIn, wellIn, type Known, type Trouble } from './watched';
import styles from './overview.module.css';

/** Most days nothing waits for another admin. */
const Approving = later(() => import('./approving'));

/** Of what waits for a decision the longest few are shown; the rest is one link away. */
const OLDEST = 6;
/** Between two looks at what no live change tells of, in milliseconds. */
const LOOK_MS = 60_000;

function useKnown(): { readonly known: Known; readonly isAway: boolean } {
  const often = { pollingInterval: LOOK_MS };
  const models = useWatchedModelsQuery(undefined, often);
  const jobs = useWatchedJobsQuery(undefined, often);
  const health = useWatchedHealthQuery(undefined, often);
  const clock = useClockQuery(undefined, often);
  const known = { models: models.data, jobs: jobs.data, health: health.data, clock: clock.data };
  return { known, isAway: [models, jobs, health, clock].some(({ isError }) => isError) };
}

type Props = {
  /** Where all open requests are. */
  readonly all: string;
  /** Where what is watched is shown. */
  readonly operations: string;
};

/** What needs somebody: the requests that wait longest, and whatever of the service is not well. */
export function Attention({ all, operations }: Props) {
  const asked = useAllRequestsQuery({ status: 'Pending', order: 'oldest', limit: OLDEST });
  const { known, isAway } = useKnown();
  const [opened, setOpened] = useState<ListedRequest>();
  const troubles = troublesIn(known);
  const requests = asked.data?.items;
  const waiting = useApprovalsQuery({ limit: OLDEST }).data?.items ?? [];
  // The requests are told of by their own lines.
  const others = waiting.filter(({ id }) => requests?.every((request) => request.id !== id));
  const changes = useChangesQuery({ limit: OLDEST }).data?.items ?? [];
  const isWaiting = others.length > 0 || changes.length > 0;
  // The last one may be decided while it stands open, which says so then.
  const [isApproving, setApproving] = useState(false);
  if (isWaiting && !isApproving) setApproving(true);
  const isLoading = requests === undefined && asked.error === undefined;
  return (
    <ListCard
      title="Needs attention"
      action={
        <Link className="action" to={all}>
          All open requests
        </Link>
      }
    >
      {requests === undefined && asked.error !== undefined && (
        <LoadFailed detail={detailOf(asked.error)} onRetry={() => void asked.refetch()} />
      )}
      <ul className={styles.list} aria-busy={isLoading}>
        {isLoading && <Waiting />}
        {requests?.map((request) => (
          <Open key={request.id} request={request} onDecide={() => setOpened(request)} />
        ))}
        {isApproving && <Approving items={others} changes={changes} />}
        {troubles.map((trouble) => (
          <Troubled key={`${trouble.kind} ${trouble.what}`} trouble={trouble} />
        ))}
      </ul>
      {requests?.length === 0 && !isWaiting && troubles.length === 0 && (
        <Notice title="Nothing needs attention.">No request waits for a decision.</Notice>
      )}
      <div className={styles.foot}>
        <Well known={known} isAway={isAway} />
        <Link className="action" to={operations}>
          Operations
        </Link>
      </div>
      {opened !== undefined && (
        <NamedRequest
          kind={opened.kind}
          of={{ userId: opened.userId, requestId: opened.id }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </ListCard>
  );
}

function Open({ request, onDecide }: { readonly request: ListedRequest; readonly onDecide: () => void }) {
  const { approvals, kind, currency, customer, amount, createdAt } = request;
  const dollars = `${displayMoney(amount, 'USD')} USD`;
  const word = useMay('decide on money') ? 'Decide' : 'View';
  return (
    <Line
      kind={kindWords(kind, currency)}
      what={
        <>
          <b>{customer}</b>, <span className="num">{dollars}</span>
        </>
      }
      state={
        <>
          <Status status="Pending" />
          {approvals && <Approvals {...approvals} />}
        </>
      }
      waits={<Ago iso={createdAt} short />}
      act={
        <Button
          variant="default"
          size="xs"
          aria-label={`${word} ${kind.toLowerCase()} of ${dollars} by ${customer}`}
          onClick={onDecide}
        >
          {word}
        </Button>
      }
    />
  );
}

function Troubled({ trouble: { kind, what, state } }: { readonly trouble: Trouble }) {
  return <Line kind={kind} what={what} state={<span className={styles.trouble}>{state}</span>} />;
}

function Waiting() {
  return Array.from({ length: OLDEST }, (_, at) => (
    <Line
      key={at}
      kind=""
      what={<Skeleton width="24ch" />}
      state={<Skeleton width="8ch" />}
      waits={<Skeleton width="4ch" />}
    />
  ));
}

/** One line for all that is watched and well. */
function Well({ known, isAway }: { readonly known: Known; readonly isAway: boolean }) {
  const well = wellIn(known);
  return (
    <p className="soft" role="status">
      {isAway && 'Not all that is watched could be asked for. '}
      {well.length > 0 && `Also watched, and well: ${well.join(', ')}.`}
    </p>
  );
}
