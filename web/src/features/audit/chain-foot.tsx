import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import type { AuditEvent } from '#contracts';
import { shortId } from '../../lib';
import { Copyable, Skeleton } from '../../ui';
import { useStreamPageQuery } from './api';
import { linkOf, linkText, type Link } from './chain';
import styles from './audit.module.css';

/** An event's place in the chain, worked out here from it and the one before it. */
export function ChainFoot({ event }: { readonly event: AuditEvent }) {
  const { currentData, error } = useStreamPageQuery({
    stream: event.stream,
    from: Math.max(0, event.revision - 1),
    order: 'oldest',
    limit: 2,
  });
  if (error === undefined && currentData === undefined)
    return (
      <p className={styles.foot}>
        <Skeleton width="60%" />
      </p>
    );
  const before = currentData?.events.find(({ revision }) => revision === event.revision - 1);
  const link: Link = currentData === undefined ? 'unknown' : linkOf(event, before);
  return <ChainLine chain={event.meta.chain} link={link} revision={event.revision} />;
}

type LineProps = { readonly chain: string; readonly link: Link; readonly revision: number };

function ChainLine({ chain, link, revision }: LineProps) {
  const isBroken = link === 'broken';
  return (
    <p className={`${styles.foot ?? ''} ${isBroken ? 'debit' : ''}`} role={isBroken ? 'alert' : undefined}>
      {isBroken ? (
        <ShieldAlert className="icon small" />
      ) : (
        <ShieldCheck className={`icon small ${link === 'unknown' ? '' : 'credit'}`} />
      )}
      <Copyable text={chain} shown={shortId(chain)} what="Chain" /> {linkText(link, revision)}
    </p>
  );
}
