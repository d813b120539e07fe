import { Button } from '@mantine/core';
import Printer from 'lucide-react/icons/printer';
import type { AccountView } from '#contracts';
import { adminRoutes, detailOf, hasCode, useAccountQuery } from '../../api';
import { grouped } from '../../lib';
import { LoadFailed, Notice, Skeleton } from '../../ui';
import { FileButton } from '../csv';
import { CaseEvents } from './case-events';
import { Heads } from './heads';
import { SHOWN_MAX, useCase, type Case } from './use-case';
import styles from './case-file.module.css';

/** All of a person’s own streams, to read, to print and to take away as a file that can be checked without Lode. */
export function CaseFile({ userId }: { readonly userId: string }) {
  const owner = useAccountQuery({ userId });
  const { found, again } = useCase(userId);
  if (found.phase === 'failed')
    return (
      <section className="card" aria-label="Case file">
        {hasCode(found.error, 'account_not_found') ? (
          <Notice title="User not found">Nobody has this id.</Notice>
        ) : (
          <LoadFailed detail={detailOf(found.error)} onRetry={again} />
        )}
      </section>
    );
  const { events, phase } = found;
  return (
    <article className={`card ${styles.sheet ?? ''}`} aria-label="Case file" aria-busy={phase === 'loading'}>
      <Head account={owner.data} found={found} userId={userId} />
      <p className={`soft ${styles.note ?? ''}`} role="status">
        {words(phase, events.length)}
      </p>
      {events.length === 0 && phase === 'loading' ? (
        <p className={styles.note}>
          <Skeleton width="80%" />
        </p>
      ) : (
        <>
          <Heads events={events} />
          <CaseEvents events={events} />
        </>
      )}
    </article>
  );
}

function words(phase: Exclude<Case['phase'], 'failed'>, count: number): string {
  const events = `${grouped(String(count))} event${count === 1 ? '' : 's'}`;
  if (phase === 'loading') return `Loading all events: ${grouped(String(count))} so far.`;
  if (phase === 'too-long')
    return `The first ${events}. There are more than ${grouped(String(SHOWN_MAX))}: the file has all of them.`;
  return `${events}, in the order of the log. What is encrypted in them is not shown.`;
}

type HeadProps = {
  readonly account: AccountView | undefined;
  readonly found: Exclude<Case, { readonly phase: 'failed' }>;
  readonly userId: string;
};

function Head({ account, found, userId }: HeadProps) {
  return (
    <header className={styles.head}>
      <div>
        <h2>
          {account === undefined ? <Skeleton width="16ch" /> : `${account.firstname} ${account.lastname}`}
        </h2>
        {account !== undefined && (
          <p className="soft num">
            Account {account.accountNumber}, {account.status}, {account.email}
          </p>
        )}
        <p className="soft code">{userId}</p>
      </div>
      <div className={styles.acts}>
        <Button
          variant="default"
          size="xs"
          leftSection={<Printer className="icon small" />}
          disabled={found.phase === 'loading'}
          onClick={() => print()}
        >
          Print
        </Button>
        <FileButton
          word="NDJSON"
          isThere
          take={(download) =>
            download(adminRoutes.caseFile, { userId }, `case-${userId}.ndjson`, 'application/x-ndjson')
          }
        />
      </div>
    </header>
  );
}
