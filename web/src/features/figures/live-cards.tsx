import { formatTime } from '../../lib';
import { useReadModelsQuery, whileLookedAt } from '../operations';
import { useLoadQuery } from './api';
import { ChartCard } from './chart-card';
import { failedOf } from './failed';
import { LinePlot } from './line-plot';
import { lagsOf, pacesOf, useSeen, type Point } from './seen';
import { Twin } from './twin';
import styles from './figures.module.css';

const DECIMALS = 1;
const SINCE_OPENED = 'since this page was opened';

/** How far the read models are behind the log. */
export function LagCard() {
  const models = useReadModelsQuery(undefined, whileLookedAt);
  const lags = lagsOf(useSeen(models.data, models.fulfilledTimeStamp));
  const now = lags.at(-1);
  return (
    <ChartCard
      name="lag"
      title="Lag"
      unit={`seconds, ${SINCE_OPENED}`}
      chart={now && ((width) => <LinePlot points={lags} width={width} say={said} />)}
      failed={failedOf(models)}
      table={
        <Twin
          label="Lag in seconds"
          rows={lags.toReversed()}
          keyOf={keyOf}
          columns={[
            { head: 'Time', cell: timeOf },
            { head: 'Seconds behind', cell: ({ value }) => said(value) },
            { head: 'Furthest behind', cell: ({ model }) => (model === '' ? 'none' : model) },
          ]}
        />
      }
    >
      {now !== undefined && (
        <p className={`soft ${styles.note ?? ''}`}>
          {now.model === ''
            ? 'No read model is behind the log now.'
            : `${now.model} is ${said(now.value)} s behind the log now.`}
        </p>
      )}
    </ChartCard>
  );
}

/** How many commands the program answers. */
export function CommandsCard() {
  const load = useLoadQuery(undefined, whileLookedAt);
  const paces = pacesOf(useSeen(load.data, load.fulfilledTimeStamp));
  const now = paces.at(-1);
  return (
    <ChartCard
      name="commands"
      title="Commands"
      unit={`a second, ${SINCE_OPENED}`}
      chart={load.data && ((width) => <LinePlot points={paces} width={width} say={said} />)}
      failed={failedOf(load)}
      table={
        <Twin
          label="Commands a second"
          rows={paces.toReversed()}
          keyOf={keyOf}
          columns={[
            { head: 'Time', cell: timeOf },
            { head: 'Commands a second', cell: ({ value }) => said(value) },
          ]}
        />
      }
    >
      <p className={`soft ${styles.note ?? ''}`}>
        {now === undefined
          ? 'It takes two answers to tell a pace: the second comes within seconds.'
          : `${said(now.value)} a second now, whatever came of them.`}
      </p>
    </ChartCard>
  );
}

function said(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(DECIMALS);
}

function keyOf({ at }: Point): string {
  return String(at);
}

function timeOf({ at }: Point): string {
  const iso = new Date(at).toISOString();
  return `${formatTime(iso)}:${iso.slice('2026-01-01T00:00:'.length, -'.000Z'.length)}`;
}
