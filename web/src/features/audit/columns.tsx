import type { ReactNode } from 'react';
import type { AuditEvent } from '#contracts';
import { exactMoney, grouped, shortId, signedMoney } from '../../lib';
import { movedBy } from './postings';
import { instantOf } from './instant';
import styles from './audit.module.css';

/** A column of events. */
export type Column = {
  readonly key: string;
  readonly head: string;
  /** Where it stands in a phone's two lines, or else not at all. */
  readonly place?: string | undefined;
  readonly isFigure?: true;
  readonly cell: (event: AuditEvent) => ReactNode;
};

function Moved({ event }: { readonly event: AuditEvent }) {
  const moved = movedBy(event);
  if (moved === undefined)
    return event.personalData === 'sealed' ? <span className="faint">encrypted</span> : null;
  const { amount, isHeld } = moved;
  if (isHeld) return <span className="soft">{exactMoney(amount, 'USD')} held</span>;
  return (
    <span className={amount.startsWith('-') ? 'debit' : 'credit'}>{signedMoney(amount, 'USD')} USD</span>
  );
}

/** Every column that there is, in the order in which they stand. */
export const columns: readonly Column[] = [
  {
    key: 'position',
    head: 'Position',
    isFigure: true,
    place: styles.position,
    cell: ({ position }) => (position === undefined ? null : grouped(position)),
  },
  { key: 'time', head: 'Time', place: styles.time, cell: ({ at }) => instantOf(at) },
  { key: 'type', head: 'Event', place: styles.type, cell: ({ type }) => type },
  {
    key: 'stream',
    head: 'Stream',
    place: styles.stream,
    cell: ({ stream }) => (
      <span className="code" title={stream}>
        {shortId(stream, 14, 4)}
      </span>
    ),
  },
  {
    key: 'revision',
    head: 'Rev.',
    isFigure: true,
    place: styles.revision,
    cell: ({ revision }) => grouped(String(revision)),
  },
  { key: 'actor', head: 'Actor', place: styles.actor, cell: actorOf },
  { key: 'reason', head: 'Reason', place: styles.reason, cell: ({ meta }) => meta.reason },
  {
    key: 'session',
    head: 'Session',
    cell: ({ meta: { session } }) =>
      session === undefined ? null : (
        <span className="code" title={session}>
          {shortId(session)}
        </span>
      ),
  },
  {
    key: 'correlation',
    head: 'Correlation',
    cell: ({ meta: { correlationId } }) => (
      <span className="code" title={correlationId}>
        {shortId(correlationId)}
      </span>
    ),
  },
  { key: 'version', head: 'Version', isFigure: true, cell: ({ version }) => version },
  {
    key: 'moves',
    head: 'Moves',
    isFigure: true,
    place: styles.moves,
    cell: (event) => <Moved event={event} />,
  },
];

/** Who did it: a person by name, Lode's own parts by what they are. */
export function actorOf({ actorName, meta: { actor } }: AuditEvent): string {
  if (actor.kind === 'person') return actorName === '' ? actor.role : actorName;
  return actor.kind === 'operator' ? 'operator' : `Lode, ${actor.id}`;
}

/** The columns that the explorer begins with. */
export const columnsAtFirst: readonly string[] = [
  'position',
  'time',
  'type',
  'stream',
  'revision',
  'actor',
  'moves',
];

/** The columns that an address asks for; those of the beginning when it says nothing. */
export function columnsOf(search: URLSearchParams, atFirst: readonly string[]): readonly Column[] {
  const asked = search.get('columns')?.split(',') ?? atFirst;
  // What happened is always said: without it a row is about nothing.
  return columns.filter(({ key }) => asked.includes(key) || key === 'type');
}

/** The address's word for some columns; undefined for those of the beginning. */
export function columnsText(keys: readonly string[], atFirst: readonly string[]): string | undefined {
  const inOrder = columns.filter(({ key }) => keys.includes(key)).map(({ key }) => key);
  return inOrder.join() === atFirst.join() ? undefined : inOrder.join();
}
