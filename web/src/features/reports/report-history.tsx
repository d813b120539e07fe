import { useState, type ReactNode } from 'react';
import type { MessageView } from '#contracts';
import { adminRoutes, detailOf } from '../../api';
import { useAddress } from '../../lib';
import { DataList, later, Segments, When, type DataColumn } from '../../ui';
import { CsvButton } from '../csv';
import { useMessagesQuery } from './api';
import styles from './report-history.module.css';

const ReportDialog = later(() => import('./report-dialog'));

const names = ['status'] as const;
const filters = ['unread', 'read'] as const;
const statuses = ['all', ...filters] as const;
const captions = { all: 'All', unread: 'Unread', read: 'Read' } as const;

type Row = MessageView & { readonly serial: number };

/** The first words of a message, on one line. */
function beginning({ message }: MessageView): string {
  const words = message.replace(/\s+/g, ' ').trim();
  return words.length > 80 ? `${words.slice(0, 80)}…` : words;
}

const columns: readonly DataColumn<Row>[] = [
  { head: 'S/N', place: 'serial', width: '2ch', cell: ({ serial }) => serial },
  { head: 'Created', place: 'date', width: '14ch', cell: ({ created }) => <When iso={created} /> },
  {
    head: 'Name',
    place: 'lead',
    width: '14ch',
    cell: ({ name, isRead }) => (isRead ? name : <b>{name}</b>),
  },
  { head: 'Message', place: 'more', width: '40ch', cell: beginning },
  { head: 'Status', place: 'state', width: '6ch', cell: ({ isRead }) => (isRead ? 'Read' : 'Unread') },
];

/** What people wrote to the platform, newest first; a row opens the whole of it. `beside` stands beside what narrows the list. */
export function ReportHistory({ beside }: { readonly beside: ReactNode }) {
  const { values, set } = useAddress(names);
  const [opened, setOpened] = useState<MessageView>();
  const status = filters.find((one) => one === values.status);
  const { data, error, refetch } = useMessagesQuery({ status, cursor: values.cursor });
  const items = data?.items.map((item, at) => ({ ...item, serial: data.first + at }));
  const current = opened && (data?.items.find(({ id }) => id === opened.id) ?? opened);
  return (
    <>
      <div className={styles.bar}>
        <Segments
          label="Show"
          values={statuses}
          captions={captions}
          value={status ?? 'all'}
          onChange={(one) => set({ status: one === 'all' ? undefined : one })}
        />
        <span className={styles.beside}>
          <CsvButton
            isThere={(data?.items.length ?? 0) > 0}
            take={(download) => download(adminRoutes.messages, { status }, 'reports.csv')}
          />
          {beside}
        </span>
      </div>
      <DataList
        label="Report History"
        columns={columns}
        page={data && items && { ...data, items }}
        failure={error && { detail: detailOf(error), onRetry: () => void refetch() }}
        keyOf={({ id }) => id}
        selected={opened?.id}
        opens={{ word: 'View', name: ({ name }) => `message of ${name}`, open: setOpened }}
        onGo={(cursor) => set({ status, cursor })}
      />
      {current !== undefined && (
        <ReportDialog key={current.id} report={current} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
