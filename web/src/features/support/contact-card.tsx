import { detailOf, useContactQuery } from '../../api';
import { Copy, LoadFailed, Skeleton } from '../../ui';
import styles from './contact-card.module.css';

/** Where the operator is reached, in the operator's own words. */
export function ContactCard() {
  const { data, error, refetch } = useContactQuery();
  const known = [
    ['E-mail', data?.email, data?.email && `mailto:${data.email}`],
    ['Phone', data?.phoneNumber, data?.phoneNumber && `tel:${data.phoneNumber.replace(/\s/g, '')}`],
    ['Address', data?.contactAddress, undefined],
  ] as const;
  const shown = known.filter(([_name, text]) => text !== null && text !== undefined);
  return (
    <aside aria-labelledby="contact">
      <h2 id="contact">Reach the operator</h2>
      {data === undefined && error !== undefined && (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      )}
      {data !== undefined && shown.length === 0 && (
        <p className="soft">The operator has given no other way. Write here: the admins read it.</p>
      )}
      {data === undefined && error === undefined && <Coming />}
      <dl className={styles.contact}>
        {shown.map(([name, text, href]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {href ? <a href={href}>{text}</a> : text}
              {text && <Copy text={text} what={name} />}
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

function Coming() {
  return (
    <dl className={styles.contact} aria-hidden="true">
      {['5ch', '6ch', '8ch'].map((width) => (
        <div key={width}>
          <dt>
            <Skeleton width={width} />
          </dt>
          <dd>
            <Skeleton width="20ch" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
