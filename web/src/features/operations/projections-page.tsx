import { Button } from '@mantine/core';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import type { ReadModelList } from '#contracts';
import { detailOf } from '../../api';
import { grouped } from '../../lib';
import { Ago, ListCard, LoadFailed, Skeleton } from '../../ui';
import { useMay } from '../duty';
import { useReadModelsQuery, whileLookedAt } from './api';
import { formatSeconds } from './duration';
import { CancelDialog, RebuildDialog } from './model-acts';
import { ParkedEvents } from './parked';
import { Sparkline } from './sparkline';
import { useTrend } from './trend';
import styles from './operations.module.css';

type Model = ReadModelList['models'][number];
type Ways = { readonly streamOf: (stream: string, revision: number) => string };
const COLUMNS = 8;

/** How every read model stands against the log, what it could not take, and what can be done about it. */
export function ProjectionsPage({ streamOf }: Ways) {
  const list = useReadModelsQuery(undefined, whileLookedAt);
  const trend = useTrend(list.data, list.fulfilledTimeStamp);
  const [asked, setAsked] = useState<{ readonly act: 'rebuild' | 'cancel'; readonly model: string }>();
  const refresh = () => void list.refetch();
  if (list.data === undefined && list.error !== undefined)
    return (
      <ListCard title="Projections">
        <LoadFailed detail={detailOf(list.error)} onRetry={refresh} />
      </ListCard>
    );
  const models = list.data?.models.toSorted((a, b) => gravity(b) - gravity(a));
  const dialog = { onDone: refresh, onClose: () => setAsked(undefined) };
  return (
    <ListCard
      title="Projections"
      action={<span className="soft">{list.data === undefined ? '' : headWords(list.data)}</span>}
    >
      <table className={`two-line ${styles.models ?? ''}`} aria-label="Read models" aria-busy={!models}>
        <thead>
          <tr>
            <th scope="col">Read model</th>
            <th scope="col" className={styles.right}>
              Position
            </th>
            <th scope="col" className={styles.right}>
              Events behind
            </th>
            <th scope="col" className={styles.right}>
              Seconds behind
            </th>
            <th scope="col">Since opened</th>
            <th scope="col">Last advance</th>
            <th scope="col">Health</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {models === undefined && <Loading />}
          {models?.map((model) => (
            <ModelRows
              key={model.name}
              model={model}
              points={trend[model.name] ?? []}
              streamOf={streamOf}
              onAct={(act) => setAsked({ act, model: model.name })}
              onChanged={refresh}
            />
          ))}
        </tbody>
      </table>
      {asked?.act === 'rebuild' && <RebuildDialog model={asked.model} {...dialog} />}
      {asked?.act === 'cancel' && <CancelDialog model={asked.model} {...dialog} />}
    </ListCard>
  );
}

function headWords({ head, headSecondsBehind }: ReadModelList): string {
  const late =
    headSecondsBehind > 0 ? `, ${formatSeconds(headSecondsBehind)} behind what it acknowledged` : '';
  return `log at ${grouped(head)}${late}`;
}

/** What needs somebody stands first, then what is furthest behind. */
function gravity({ state, parked, eventsBehind }: Model): number {
  return (state === 'stalled' ? 2e12 : 0) + (parked > 0 ? 1e12 : 0) + eventsBehind;
}

function Loading() {
  return Array.from({ length: 11 }, (_, at) => (
    <tr key={at}>
      <td colSpan={COLUMNS}>
        <Skeleton width="60ch" />
      </td>
    </tr>
  ));
}

type RowProps = Ways & {
  readonly model: Model;
  readonly points: readonly number[];
  readonly onAct: (act: 'rebuild' | 'cancel') => void;
  readonly onChanged: () => void;
};

function ModelRows({ model, points, streamOf, onAct, onChanged }: RowProps) {
  const { name, version, position, eventsBehind, secondsBehind, advancedAt, parked, discarded } = model;
  const mayOperate = useMay('operate');
  const needsSomebody = model.state === 'stalled' || parked > 0;
  return (
    <>
      <tr data-needs={needsSomebody}>
        <td className={styles.name}>
          {name} <span className="faint">v{version}</span>
        </td>
        <td className={`num ${styles.right ?? ''} ${styles.wide ?? ''}`}>{grouped(position)}</td>
        <td className={`num ${styles.right ?? ''} ${styles.behind ?? ''}`}>
          {grouped(String(eventsBehind))}
          <span className="narrow"> behind, {formatSeconds(secondsBehind)}</span>
        </td>
        <td className={`num ${styles.right ?? ''} ${styles.wide ?? ''}`}>
          {grouped(String(Math.round(secondsBehind)))} s
        </td>
        <td className={styles.wide}>
          <Sparkline points={points} />
        </td>
        <td className={styles.last}>
          <span className="narrow">moved </span>
          {advancedAt === null ? 'not seen yet' : <Ago iso={advancedAt} />}
        </td>
        <td className={styles.health}>
          {needsSomebody && <TriangleAlert className="icon small" />}
          {healthOf(model)}
        </td>
        <td className={`${styles.right ?? ''} ${styles.act ?? ''}`}>
          {mayOperate && model.rebuild === null && (
            <Button
              variant="subtle"
              size="xs"
              aria-label={`Rebuild ${name}`}
              onClick={() => onAct('rebuild')}
            >
              Rebuild
            </Button>
          )}
        </td>
      </tr>
      {model.rebuild !== null && (
        <tr className={styles.below}>
          <td colSpan={COLUMNS}>
            <Rebuild name={name} rebuild={model.rebuild} onCancel={() => onAct('cancel')} />
          </td>
        </tr>
      )}
      {parked + discarded > 0 && (
        <tr className={styles.below} data-needs={needsSomebody}>
          <td colSpan={COLUMNS}>
            <ParkedEvents model={name} streamOf={streamOf} onChanged={onChanged} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The state as a word: somebody who sees no colour reads the same. */
function healthOf({ state, parked, rebuild }: Model): string {
  const built = rebuild === null ? '' : rebuild.halted ? ', build stands still' : ', building';
  if (state === 'stalled') return `stalled${built}`;
  if (parked > 0) return `${parked} parked${built}`;
  return `${state === 'behind' ? 'behind' : 'in step'}${built}`;
}

type RebuildProps = {
  readonly name: string;
  readonly rebuild: NonNullable<Model['rebuild']>;
  readonly onCancel: () => void;
};

function Rebuild({ name, rebuild: { events, of, secondsLeft, halted }, onCancel }: RebuildProps) {
  const mayOperate = useMay('operate');
  return (
    <div className={styles.rebuild}>
      <progress value={events} max={Math.max(of, 1)} aria-label={`Rebuild of ${name}`} />
      <p>
        <b className="num">
          {grouped(String(events))} of {grouped(String(of))}
        </b>
        {halted
          ? ' events; too many are parked, so it goes no further.'
          : ` events${secondsLeft === null ? '' : `, about ${formatSeconds(secondsLeft)} left`}. What is read now answers until the new build has caught up, then they swap.`}
      </p>
      {mayOperate && (
        <Button variant="default" size="xs" aria-label={`Cancel rebuild of ${name}`} onClick={onCancel}>
          Cancel rebuild
        </Button>
      )}
    </div>
  );
}
