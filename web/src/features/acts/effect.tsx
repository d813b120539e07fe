import { Skeleton } from '../../ui';
import styles from './effect.module.css';

export type EffectRow = {
  readonly name: string;
  /** Undefined as long as it is not known. */
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** What will be different, row by row: now and after. */
export function Effect({ caption, rows }: { readonly caption: string; readonly rows: readonly EffectRow[] }) {
  return (
    <table className={styles.effect}>
      <caption className="label">{caption}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">What</th>
          <th scope="col">Now</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="num soft">
              {before ?? <Skeleton width="7ch" />}
              <span aria-hidden="true" className="faint">
                {' '}
                →
              </span>
            </td>
            <td className="num">
              <b>{after ?? <Skeleton width="7ch" />}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
