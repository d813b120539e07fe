import type { Difference } from './texts';
import styles from './site-content.module.css';

type Props = { readonly caption: string; readonly differences: readonly Difference[] };

/** What differs, text by text: as it was, and as it is. */
export function Differences({ caption, differences }: Props) {
  return (
    <section className={styles.differences} aria-label={caption}>
      <h3>{caption}</h3>
      {differences.length === 0 && <p className="soft">Nothing differs.</p>}
      <dl>
        {differences.map(({ place, before, after }) => (
          <div key={place}>
            <dt className="soft">{place}</dt>
            {before !== undefined && (
              <dd>
                <del>{before}</del>
              </dd>
            )}
            {after !== undefined && (
              <dd>
                <ins>{after}</ins>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}
