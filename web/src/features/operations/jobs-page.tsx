import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { JobList } from '#contracts';
import { detailOf } from '../../api';
import { Ago, DataTable, ListCard, LoadFailed, When, type DataColumn } from '../../ui';
import { ActDialog } from '../acts';
import { BonusSum, useBonusPreviewQuery } from '../bonus-policy';
import { useMay } from '../duty';
import { useJobsQuery, useRunBonusTickMutation, useRunJobMutation, whileLookedAt } from './api';
import { formatSeconds } from './duration';
import { jobName, lengthOf, whatItDid } from './job-words';
import { Reactors } from './reactors';
import { StalledTransfers } from './stalled-transfers';
import { TickResults } from './tick-results';
import styles from './operations.module.css';

type Job = JobList['items'][number];
const BONUS_TICK = 'bonus-tick';
const NOT_RUN = 'The job could not be run.';

const lastRun = ({ runs }: Job) => runs.find(({ startedAt }) => startedAt !== null);
const lastFailure = ({ runs }: Job) => runs.find(({ state }) => state === 'failed');

const columns: readonly DataColumn<Job>[] = [
  { head: 'Job', place: 'lead', width: '12ch', cell: ({ kind }) => jobName(kind) },
  {
    head: 'Schedule',
    place: 'more',
    width: '8ch',
    cell: ({ everySeconds }) => `every ${formatSeconds(everySeconds)}`,
  },
  { head: 'Last run', place: 'date', width: '12ch', cell: (job) => <LastRun job={job} /> },
  { head: 'What it did', place: 'more', width: '24ch', cell: (job) => <Did job={job} /> },
  { head: 'Last failure', place: 'more', width: '12ch', cell: (job) => <LastFailure job={job} /> },
  {
    head: 'Next run',
    place: 'state',
    width: '12ch',
    cell: ({ nextAt }) => (
      <>
        <span className="narrow">next </span>
        <When iso={nextAt} />
      </>
    ),
  },
];

/** What the program does by itself: jobs with their runs, reactors, transfers that stand still. */
export function JobsPage() {
  const [search] = useSearchParams();
  const jobs = useJobsQuery(undefined, whileLookedAt);
  const [asked, setAsked] = useState<string>();
  const tick = search.get('tick');
  const mayRun = useMay('operate');
  const refresh = () => void jobs.refetch();
  return (
    <div className={styles.stack}>
      <ListCard title="Jobs">
        {jobs.data === undefined && jobs.error !== undefined ? (
          <LoadFailed detail={detailOf(jobs.error)} onRetry={refresh} />
        ) : (
          <DataTable
            label="Jobs"
            columns={columns}
            rows={jobs.data?.items}
            keyOf={({ kind }) => kind}
            skeletonRows={3}
            {...(mayRun && {
              act: ({ kind }: Job) => (
                <Button
                  variant="subtle"
                  size="xs"
                  aria-label={`Run now: ${jobName(kind)}`}
                  onClick={() => setAsked(kind)}
                >
                  Run now
                </Button>
              ),
            })}
          />
        )}
      </ListCard>
      {tick !== null && (
        <ListCard title="What the tick paid" action={<When iso={tick} />}>
          <TickResults slot={tick} />
        </ListCard>
      )}
      <Reactors />
      <StalledTransfers />
      {asked !== undefined && <RunDialog kind={asked} onDone={refresh} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

function LastRun({ job }: { readonly job: Job }) {
  const run = lastRun(job);
  if (run?.startedAt == null) return 'none yet';
  const length = lengthOf(run);
  return (
    <>
      <Ago iso={run.startedAt} />
      {length !== '' && <span className="faint">, took {length}</span>}
    </>
  );
}

function Did({ job }: { readonly job: Job }) {
  const run = lastRun(job);
  if (run === undefined) return null;
  return (
    <span className={run.state === 'failed' ? styles.failed : undefined}>
      {whatItDid(run)}
      {job.kind === BONUS_TICK && run.state === 'done' && (
        <>
          {' '}
          <Link className="action" to={`?${new URLSearchParams({ tick: run.slot }).toString()}`}>
            Accounts
          </Link>
        </>
      )}
    </span>
  );
}

function LastFailure({ job }: { readonly job: Job }) {
  const failed = lastFailure(job);
  if (failed === undefined) return <span className="faint">none failed</span>;
  return (
    <>
      <span className="narrow">failed </span>
      {failed.endedAt !== null && <Ago iso={failed.endedAt} />} {failed.error}
    </>
  );
}

type RunProps = { readonly kind: string; readonly onDone: () => void; readonly onClose: () => void };

function RunDialog(props: RunProps) {
  return props.kind === BONUS_TICK ? <RunTick {...props} /> : <RunJob {...props} />;
}

function RunJob({ kind, onDone, onClose }: RunProps) {
  const [run] = useRunJobMutation();
  return (
    <ActDialog
      title={`Run ${jobName(kind)} now`}
      act="Run now"
      reason="none"
      send={() => run({ job: kind })}
      failed={NOT_RUN}
      onDone={onDone}
      onClose={onClose}
    >
      <p>It does all that is to be done by now, also what a run that failed has left.</p>
    </ActDialog>
  );
}

/** Says what it would pay, which moves money, before it takes a reason. */
function RunTick({ kind, onDone, onClose }: RunProps) {
  const [run] = useRunBonusTickMutation();
  // Days are over by themselves: what was seen before is not what would be paid now.
  const preview = useBonusPreviewQuery({ when: 'now', limit: 1 }, { refetchOnMountOrArgChange: true });
  const isKnown = !preview.isFetching && preview.data !== undefined;
  // What it would pay can't be told while its read model is made; it runs all the same.
  const isUnknown = !preview.isFetching && preview.error !== undefined;
  return (
    <ActDialog
      title={`Run ${jobName(kind)} now`}
      act="Run now"
      reason="needed"
      ready={isKnown || isUnknown}
      send={({ reason = '' }) => run({ reason })}
      failed={NOT_RUN}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        Whoever is due is paid the bonus, by the policy in force. Nobody is paid twice, however often it runs.
        As things are, wallets and balances grow by
      </p>
      {preview.error === undefined ? (
        <BonusSum preview={isKnown ? preview.data : undefined} />
      ) : (
        <LoadFailed detail={detailOf(preview.error)} onRetry={() => void preview.refetch()} />
      )}
    </ActDialog>
  );
}
