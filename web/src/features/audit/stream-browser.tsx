import { Button, TextInput } from '@mantine/core';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { PAGE_SIZE, type StreamPage } from '#contracts';
import { detailOf } from '../../api';
import { grouped, shortId } from '../../lib';
import { LoadFailed, Notice, Pager, Skeleton } from '../../ui';
import { useStreamPageQuery } from './api';
import { linkOf, linkText, type Link } from './chain';
import { actorOf } from './columns';
import { faultOf, withParameters } from './filter';
import { Inspector, type Ways } from './inspector';
import { Instant } from './instant';
import { submitted } from './submitted';
import styles from './audit.module.css';

/** The names of streams of which there is one, and what others begin with. */
const HINT = 'Such as account-…, access-…, settings-global or security-2026-01-31T12';

/** Says which stream to read. */
function StreamForm({
  stream,
  onRead,
}: {
  readonly stream: string;
  readonly onRead: (name: string) => void;
}) {
  const [text, setText] = useState(stream);
  const [fault, setFault] = useState<string>();
  const read = () => {
    const name = text.trim();
    const wrong = faultOf('stream', name);
    setFault(wrong);
    if (wrong === undefined) onRead(name);
  };
  return (
    <form
      className={`card ${styles.streamForm ?? ''}`}
      aria-label="Stream"
      noValidate
      onSubmit={submitted(read)}
    >
      <TextInput
        label="Stream"
        description={HINT}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        spellCheck={false}
        value={text}
        error={fault}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Button type="submit">Read</Button>
    </form>
  );
}

/** What each event of a page is to the one before it; the page is asked for with one event more, to know of the oldest. */
function linksOf(page: StreamPage): ReadonlyMap<number, Link> {
  const byRevision = new Map(page.events.map((event) => [event.revision, event]));
  return new Map(
    page.events.map((event) => [event.revision, linkOf(event, byRevision.get(event.revision - 1))]),
  );
}

function LinkCell({ link, revision, chain }: { link: Link; revision: number; chain: string }) {
  const isBroken = link === 'broken';
  return (
    <span className={`${styles.link ?? ''} ${isBroken ? 'debit' : ''}`} role={isBroken ? 'alert' : undefined}>
      {isBroken ? <ShieldAlert className="icon small" /> : <ShieldCheck className="icon small credit" />}
      <span className="code" title={chain}>
        {shortId(chain, 6, 4)}
      </span>{' '}
      {linkText(link, revision)}
    </span>
  );
}

type TableProps = {
  readonly page: StreamPage | undefined;
  readonly selected: string | undefined;
  readonly onOpen: (eventId: string) => void;
};

function StreamTable({ page, selected, onOpen }: TableProps) {
  const links = page === undefined ? new Map<number, Link>() : linksOf(page);
  const shown = page?.events.slice(0, PAGE_SIZE) ?? [];
  return (
    <table
      className={`two-line ${styles.table ?? ''} ${styles.streamTable ?? ''}`}
      aria-busy={page === undefined}
    >
      <thead>
        <tr>
          <th scope="col" className={styles.figure}>
            Rev.
          </th>
          <th scope="col">Event</th>
          <th scope="col">Time</th>
          <th scope="col">Actor</th>
          <th scope="col">Chain</th>
        </tr>
      </thead>
      <tbody>
        {page === undefined &&
          Array.from({ length: PAGE_SIZE }, (_, at) => (
            <tr key={at}>
              <td colSpan={5}>
                <Skeleton width="70%" />
              </td>
            </tr>
          ))}
        {shown.map((event) => (
          <tr key={event.id} data-event={event.id} data-selected={event.id === selected}>
            <td className={`num ${styles.figure ?? ''} ${styles.rev ?? ''}`}>
              {grouped(String(event.revision))}
            </td>
            <td className={styles.type}>
              <button type="button" className={styles.open} onClick={() => onOpen(event.id)}>
                {event.type}
              </button>
            </td>
            <td className={styles.time}>
              <Instant iso={event.at} />
            </td>
            <td className={styles.actor}>{actorOf(event)}</td>
            <td className={styles.chain}>
              <LinkCell
                link={links.get(event.revision) ?? 'unknown'}
                revision={event.revision}
                chain={event.meta.chain}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Says of a page as a whole whether its events follow each other. */
function ChainNote({ page }: { readonly page: StreamPage }) {
  const shown = page.events.slice(0, PAGE_SIZE);
  const links = linksOf(page);
  const broken = shown.filter(({ revision }) => links.get(revision) === 'broken');
  if (shown.length === 0) return null;
  if (broken.length > 0)
    return (
      <p className={`debit ${styles.foot ?? ''}`} role="alert">
        <ShieldAlert className="icon small" />
        The chain is broken at revision {broken.map(({ revision }) => revision).join(', ')}. What is there was
        changed after it was written. Run lode verify, and compare with a backup.
      </p>
    );
  return (
    <p className={styles.foot}>
      <ShieldCheck className="icon small credit" />
      {shown.length === 1 ? 'This event was' : `These ${shown.length} events were`} checked in this browser:
      each follows the one before it.
    </p>
  );
}

/** All events of one stream, newest first, with the chain worked out here as one reads. */
export function StreamBrowser({ ways }: { readonly ways: Ways }) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('stream') ?? '';
  const stream = faultOf('stream', asked) === undefined ? asked : '';
  const from = /^\d{1,15}$/.exec(search.get('revision') ?? '')?.[0];
  const selected = search.get('event') ?? undefined;
  const answer = useStreamPageQuery(
    { stream, limit: PAGE_SIZE + 1, ...(from === undefined ? {} : { from: Number(from) }) },
    { skip: stream === '', refetchOnMountOrArgChange: true },
  );
  const { currentData: page, error } = answer;
  const go = useCallback(
    (changes: Parameters<typeof withParameters>[1], replace = false) =>
      setSearch((now) => withParameters(now, changes), { replace }),
    [setSearch],
  );
  const open = useCallback((event: string) => go({ event }, true), [go]);
  const shown = page?.events.slice(0, PAGE_SIZE) ?? [];
  const last = page?.revision ?? 0;
  const [top, bottom] = [shown[0]?.revision ?? 0, shown.at(-1)?.revision ?? 0];
  return (
    <>
      <StreamForm
        key={asked}
        stream={asked}
        onRead={(name) => go({ stream: name, revision: undefined, event: undefined })}
      />
      {stream !== '' && (
        <div className={styles.split} data-beside={selected !== undefined}>
          <section className={`card ${styles.list ?? ''}`} aria-label="Events of the stream">
            {error !== undefined ? (
              <LoadFailed detail={detailOf(error)} onRetry={() => void answer.refetch()} />
            ) : (
              <>
                <StreamTable page={page} selected={selected} onOpen={open} />
                {page !== undefined && shown.length === 0 && <Notice title="No logs available." />}
                {page !== undefined && <ChainNote page={page} />}
                <Pager
                  first={last - top + 1}
                  count={shown.length}
                  previous={top < last ? String(Math.min(last, top + PAGE_SIZE)) : null}
                  next={bottom > 0 ? String(bottom - 1) : null}
                  onGo={(revision) => go({ revision })}
                />
              </>
            )}
          </section>
          {selected !== undefined && (
            <Inspector
              eventId={selected}
              ways={ways}
              onGo={open}
              onClose={() => go({ event: undefined }, true)}
            />
          )}
        </div>
      )}
    </>
  );
}
