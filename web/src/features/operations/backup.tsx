import { Button } from '@mantine/core';
import { useState, type ComponentProps } from 'react';
import type { Backups } from '#contracts';
import { detailOf, refusalOf } from '../../api';
import { formatBytes, grouped } from '../../lib';
import { Ago, ListCard, LoadFailed, notifyError, Skeleton, When } from '../../ui';
import { ActDialog } from '../acts';
import { useMay } from '../duty';
import {
  pollingOf,
  useBackupsKnown,
  useBackupsQuery,
  useCancelBackupMutation,
  useMakeBackupMutation,
} from './api';
import { Chore } from './chore';
import styles from './operations.module.css';

/** The last backup and how old it is, and a way to make one where the program does that. */
export function Backup() {
  const known = useBackupsKnown(undefined);
  const list = useBackupsQuery(undefined, pollingOf(known.data?.run));
  const [isAsked, setAsked] = useState(false);
  const [cancel, canceled] = useCancelBackupMutation();
  const mayBackUp = useMay('operate');
  const onCancel = async () => {
    const { error } = await cancel(undefined);
    const refusal = error && refusalOf(error, { failed: 'The backup could not be canceled.' });
    if (refusal?.kind === 'refused') notifyError(refusal.message);
    void list.refetch();
  };
  const { data, error } = list;
  const isUnderWay = data?.run?.state === 'running';
  return (
    <ListCard
      title="Backup"
      action={
        mayBackUp &&
        data?.way === 'folder' && (
          <Button variant="default" size="xs" disabled={isUnderWay} onClick={() => setAsked(true)}>
            {isUnderWay ? 'Please wait' : 'Back up now'}
          </Button>
        )
      }
    >
      {data === undefined && error !== undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void list.refetch()} />
      ) : (
        <Shown
          backups={data}
          cancel={mayBackUp ? { isBusy: canceled.isLoading, onCancel: () => void onCancel() } : undefined}
        />
      )}
      {isAsked && (
        <BackupDialog
          folder={data?.folder ?? ''}
          onDone={() => void list.refetch()}
          onClose={() => setAsked(false)}
        />
      )}
    </ListCard>
  );
}

type ShownProps = {
  readonly backups: Backups | undefined;
  readonly cancel: ComponentProps<typeof Chore>['cancel'];
};

function Shown({ backups, cancel }: ShownProps) {
  if (backups === undefined)
    return (
      <p className={styles.chore}>
        <Skeleton width="40ch" />
      </p>
    );
  if (backups.way === 'servers') return <OnServers />;
  return (
    <>
      {backups.last !== null && <Last last={backups.last} />}
      {backups.last === null && <None way={backups.way} />}
      {backups.run !== null && (
        <Chore run={backups.run} name="Backup" good="It was made, and verified." cancel={cancel} />
      )}
    </>
  );
}

function Last({ last }: { readonly last: NonNullable<Backups['last']> }) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Last</dt>
        <dd>
          <Ago iso={last.madeAt} />
          <span className="soft">
            {', '}
            <When iso={last.madeAt} />
          </span>
        </dd>
      </div>
      <div>
        <dt>Events</dt>
        <dd className="num">{grouped(String(last.events))}</dd>
      </div>
      <div>
        <dt>Size</dt>
        <dd>{formatBytes(last.bytes)}</dd>
      </div>
      <div>
        <dt>Folder</dt>
        <dd>{last.name}</dd>
      </div>
    </dl>
  );
}

function None({ way }: Pick<Backups, 'way'>) {
  if (way === 'folder') return <p className={styles.chore}>There is no backup yet.</p>;
  return (
    <p className={styles.chore}>
      No folder is named that backups go to. Set <code>LODE_BACKUPS</code> to one on another disk and start
      Lode again, or run <code>lode backup</code> with a folder beside it.
    </p>
  );
}

/** What is on servers is backed up there, in the order in which identities are never older than the log. */
function OnServers() {
  return (
    <div className={styles.chore}>
      <p>
        What is on servers is backed up there, in this order, so that identities are never older than the log:
      </p>
      <ol className={styles.steps}>
        <li>
          the log, by EventStoreDB’s own backup or <code>lode export</code>,
        </li>
        <li>
          MongoDB, the collections whose names begin with <code>identity</code> and <code>files</code>,
        </li>
        <li>the bucket of uploaded files.</li>
      </ol>
    </div>
  );
}

type DialogProps = {
  readonly folder: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

function BackupDialog({ folder, onDone, onClose }: DialogProps) {
  const [make] = useMakeBackupMutation();
  return (
    <ActDialog
      title="Back up now"
      act="Back up now"
      reason="none"
      send={async () => ({ error: (await make(undefined)).error })}
      done="The backup has begun."
      failed="The backup could not be begun."
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        The log, the identities and the uploaded files are copied as they are now into a new folder in{' '}
        <code>{folder}</code>, and the copy is verified. Nobody has to wait for it. It has the keys of all
        personal data: keep it as safe as the data folder.
      </p>
    </ActDialog>
  );
}
