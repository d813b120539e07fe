import { Button } from '@mantine/core';
import Printer from 'lucide-react/icons/printer';
import { PAGE_SIZE_MAX, type Statement } from '#contracts';
import {
  detailOf,
  routes,
  useAccountQuery,
  useStatementQuery,
  type ApiError,
  type DownloadFile,
} from '../../api';
import { exactMoney, formatTime, grouped, isZero, signedMoney } from '../../lib';
import { Copyable, LoadFailed, Notice, Pager, Skeleton } from '../../ui';
import { CsvButton } from '../csv';
import { PaperNote } from './paper-note';
import type { StatementView } from './period';
import { StatementTable } from './statement-table';
import { usePaper } from './use-paper';
import styles from './statement.module.css';

type Props = {
  readonly userId: string;
  readonly view: StatementView;
  readonly onGo: (cursor: string) => void;
};

/** A statement as it is read, printed and taken away. */
export function StatementSheet({ userId, view, onGo }: Props) {
  const { from, to, zone, currency } = view;
  const asked = useStatementQuery({ userId, ...view, limit: PAGE_SIZE_MAX });
  const owner = useAccountQuery({ userId });
  const account = owner.data;
  const { currentData } = asked;
  // Without its owner's name it is no statement.
  const failed = [asked, ...(account === undefined ? [owner] : [])].filter(({ isError }) => isError);
  const error = failed[0]?.error;
  const statement = error === undefined ? currentData : undefined;
  const { paper, print, stop } = usePaper({ userId, from, to, zone, currency });
  const toPrint = account === undefined ? undefined : statement;
  const onPrint = () => void (toPrint && print(toPrint));
  return (
    <article
      className={`card ${styles.sheet}`}
      aria-label={`${currency} statement`}
      data-paper={paper.phase === 'ready'}
    >
      <header className={styles.head}>
        <div>
          <h2>{currency} statement</h2>
          <p className="soft num">
            {from} to {to}, {zone}
          </p>
          <p className="soft num">
            {account !== undefined &&
              `${account.firstname} ${account.lastname}, account ${account.accountNumber}`}
            {account === undefined && error === undefined && <Skeleton width="24ch" />}
          </p>
        </div>
        <div className={styles.acts}>
          <Button
            variant="default"
            size="xs"
            leftSection={<Printer className="icon small" />}
            disabled={toPrint === undefined || paper.phase === 'loading'}
            onClick={onPrint}
          >
            {paper.phase === 'loading' ? 'Please wait' : 'Print'}
          </Button>
          <CsvButton isThere={statement !== undefined} take={taking({ userId, from, to, zone, currency })} />
        </div>
      </header>
      <PaperNote paper={paper} onRetry={onPrint} onStop={stop} />
      {error === undefined ? (
        <div className={styles.shown}>
          <Totals statement={statement} />
          <StatementTable statement={statement} />
          {statement !== undefined && <Below statement={statement} onGo={onGo} />}
        </div>
      ) : (
        <LoadFailed
          detail={detailOf(error)}
          onRetry={() => failed.forEach(({ refetch }) => void refetch())}
        />
      )}
      {paper.phase === 'ready' && (
        <div className={styles.paper}>
          <Totals statement={paper.statement} />
          <StatementTable statement={paper.statement} />
          <Below statement={paper.statement} onGo={onGo} />
        </div>
      )}
    </article>
  );
}

type Period = Pick<Props, 'userId'> & Omit<StatementView, 'cursor'>;

/** Takes the whole period away as a file. */
function taking(period: Period): (download: DownloadFile) => Promise<ApiError | undefined> {
  const { currency, from, to } = period;
  return (download) => download(routes.statement, period, `statement-${currency}-${from}-${to}.csv`);
}

function Totals({ statement }: { readonly statement: Statement | undefined }) {
  const currency = statement?.currency ?? 'USD';
  const figures = [
    ['Opening balance', statement && exactMoney(statement.opening.balance, currency)],
    ['Change', statement && signedMoney(statement.change, currency)],
    ['Closing balance', statement && exactMoney(statement.closing.balance, currency)],
  ] as const;
  return (
    <dl className={styles.totals}>
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">
            {figure === undefined ? <Skeleton width="9ch" /> : `${figure} ${currency}`}
            {name === 'Closing balance' && statement !== undefined && !isZero(statement.closing.held) && (
              <small className="soft">{exactMoney(statement.closing.held, currency)} of it on hold</small>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Below({
  statement,
  onGo,
}: {
  readonly statement: Statement;
  readonly onGo: (cursor: string) => void;
}) {
  const { entries, first, next, previous, position, revision, ends, zone } = statement;
  return (
    <>
      {entries.length === 0 && previous === null && next === null && (
        <Notice title="No logs available.">Nothing moved this balance in the period.</Notice>
      )}
      <Pager
        first={first}
        count={entries.length}
        previous={previous}
        next={next}
        onGo={onGo}
        order="oldest first"
      />
      <p className={`faint num ${styles.foot ?? ''}`}>
        {revision === null ? (
          'The account was opened later.'
        ) : (
          <TrueAt position={position} revision={revision} />
        )}{' '}
        The period ends at {formatTime(ends, zone)}, {zone}.
        {(next !== null || previous !== null) && ' This page shows a part of it; Print and CSV have all.'}
      </p>
    </>
  );
}

/** Where in the log the statement is true. */
function TrueAt({
  position,
  revision,
}: {
  readonly position: string | undefined;
  readonly revision: number;
}) {
  if (position === undefined) return `True at event ${revision} of the log.`;
  return (
    <>
      True at position <Copyable text={position} shown={grouped(position)} what="Position" /> of the log.
    </>
  );
}
