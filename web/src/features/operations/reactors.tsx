import { Button } from '@mantine/core';
import type { ReactorList } from '#contracts';
import { detailOf, refusalOf } from '../../api';
import { grouped } from '../../lib';
import { DataTable, ListCard, LoadFailed, notifyError, notifySuccess, type DataColumn } from '../../ui';
import { useMay } from '../duty';
import { useReactorsQuery, useRetryReactorsMutation, whileLookedAt } from './api';
import styles from './operations.module.css';

type Reactor = ReactorList['items'][number];

const columns: readonly DataColumn<Reactor>[] = [
  { head: 'Reactor', place: 'lead', width: '12ch', cell: ({ name }) => name },
  { head: 'Position', place: 'figure', width: '8ch', cell: ({ position }) => grouped(position) },
  {
    head: 'What it could not do',
    place: 'more',
    width: '24ch',
    cell: ({ owed, parked, failing }) => <Undone owed={owed} parked={parked} failing={failing} />,
  },
  { head: 'Health', place: 'state', width: '8ch', cell: ({ state }) => healthWords[state] },
];

const healthWords: Readonly<Record<Reactor['state'], string>> = {
  starting: 'starting',
  current: 'in step',
  behind: 'behind',
  halted: 'stalled',
};

function Undone({ owed, parked, failing }: Pick<Reactor, 'owed' | 'parked' | 'failing'>) {
  if (failing !== null) return <span className={styles.failed}>{failing}</span>;
  const [first] = parked;
  if (first !== undefined)
    return (
      <span className={styles.failed}>
        {parked.length} parked, the first {first.type} at {first.position} after {first.attempts} tries:{' '}
        {first.error}
      </span>
    );
  return owed > 0 ? `${owed} to be tried again` : <span className="faint">nothing</span>;
}

/** What follows from the log by itself, and what of it could not be done. */
export function Reactors() {
  const list = useReactorsQuery(undefined, whileLookedAt);
  const [retry, { isLoading }] = useRetryReactorsMutation();
  const send = async () => {
    const { error } = await retry(undefined);
    if (error === undefined) notifySuccess('All that could not be done is tried again.');
    else {
      const refusal = refusalOf(error, { failed: 'It could not be tried again.' });
      if (refusal.kind === 'refused') notifyError(refusal.message);
    }
    void list.refetch();
  };
  const mayRetry = useMay('operate');
  const nothing = list.data?.items.every(({ parked, owed }) => parked.length === 0 && owed === 0) ?? true;
  return (
    <ListCard
      title="Reactors"
      action={
        mayRetry && (
          <Button variant="default" size="xs" disabled={isLoading || nothing} onClick={() => void send()}>
            {isLoading ? 'Please wait' : 'Retry all'}
          </Button>
        )
      }
    >
      {list.data === undefined && list.error !== undefined ? (
        <LoadFailed detail={detailOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          label="Reactors"
          columns={columns}
          rows={list.data?.items}
          keyOf={({ name }) => name}
          skeletonRows={3}
        />
      )}
    </ListCard>
  );
}
