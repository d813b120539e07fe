import type { ReactNode } from 'react';
import type { SystemEngines, SystemSettings } from '#contracts';
import { detailOf } from '../../api';
import { Ago, DataTable, ListCard, LoadFailed, When, type DataColumn } from '../../ui';
import { useSystemEnginesQuery, useSystemSettingsQuery, whileLookedAt } from './api';
import { Backup } from './backup';
import { Verification } from './verification';
import styles from './operations.module.css';

type Engine = SystemEngines['items'][number];
type Setting = SystemSettings['items'][number];

const partNames: Readonly<Record<Engine['part'], string>> = {
  log: 'Event log',
  'read models': 'Read models',
  identity: 'Identities',
  files: 'Uploaded files',
  jobs: 'Jobs',
};

const engineColumns: readonly DataColumn<Engine>[] = [
  { head: 'Engine', place: 'lead', width: '12ch', cell: ({ part }) => partNames[part] },
  {
    head: 'Where',
    place: 'more',
    width: '20ch',
    cell: ({ kind, address }) => (kind === 'embedded' ? 'in the data folder' : address),
  },
  {
    head: 'Answers in',
    place: 'figure',
    width: '8ch',
    cell: ({ answersInMs }) => (answersInMs === null ? 'no answer' : `${answersInMs.toFixed(1)} ms`),
  },
  {
    head: 'State',
    place: 'state',
    width: '10ch',
    cell: ({ failure }) =>
      failure === null ? 'answers' : <span className={styles.failed}>away: {failure}</span>,
  },
];

const settingColumns: readonly DataColumn<Setting>[] = [
  { head: 'Setting', place: 'lead', width: '20ch', cell: ({ name }) => <code>{name}</code> },
  {
    head: 'Value',
    place: 'more',
    width: '16ch',
    cell: ({ value }) => (value === '' ? <span className="faint">empty</span> : value),
  },
  { head: 'Source', place: 'state', width: '8ch', cell: ({ source }) => source },
];

/** The engines as they answer just now, the clock beside the log, the backup, the check of the log, what else there is to operate, and what is set. */
export function EnginesPage({ children }: { readonly children?: ReactNode }) {
  return (
    <div className={styles.stack}>
      <Engines />
      <Backup />
      <Verification />
      {children}
      <Settings />
    </div>
  );
}

function Engines() {
  const engines = useSystemEnginesQuery(undefined, whileLookedAt);
  const { data, error } = engines;
  return (
    <ListCard title="Engines">
      {data === undefined && error !== undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void engines.refetch()} />
      ) : (
        <DataTable
          label="Engines"
          columns={engineColumns}
          rows={data?.items}
          keyOf={({ part }) => part}
          skeletonRows={5}
        />
      )}
      {data !== undefined && <Clock clock={data.clock} />}
    </ListCard>
  );
}

function Clock({ clock }: Pick<SystemEngines, 'clock'>) {
  return (
    <p className={styles.clock}>
      <b>{clock.accepted ? 'The clock is accepted.' : 'The clock is not accepted: nothing is written.'}</b> It
      says <When iso={clock.clock} />.
      {clock.lastEventAt !== null && (
        <>
          {' '}
          The last event of the log: <Ago iso={clock.lastEventAt} />.
        </>
      )}
    </p>
  );
}

function Settings() {
  const settings = useSystemSettingsQuery();
  const { data, error } = settings;
  return (
    <ListCard title="Settings" action={data && <span className="soft">Lode {data.version}</span>}>
      {data === undefined && error !== undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void settings.refetch()} />
      ) : (
        <DataTable label="Settings" columns={settingColumns} rows={data?.items} keyOf={({ name }) => name} />
      )}
    </ListCard>
  );
}
