import { detailOf, type Failure } from '../../api';
import { LoadFailed, Skeleton } from '../../ui';
import styles from './form-screen.module.css';

/** As many fields as most forms have. */
const FIELDS = ['12ch', '16ch', '10ch', '14ch', '18ch', '11ch'];

type Props = { readonly of: { readonly error?: Failure; readonly refetch: () => unknown } };

/** Stands where a form will be once what it needs is there, or says why it isn't. */
export function Loading({ of: { error, refetch } }: Props) {
  return (
    <section className={`card ${styles.loading}`} aria-busy={error === undefined}>
      {error === undefined ? (
        <>
          {FIELDS.map((width) => (
            <div key={width}>
              <Skeleton width={width} />
              <span className={styles.field} />
            </div>
          ))}
          <span className={`skeleton ${styles.button}`} aria-hidden="true" />
        </>
      ) : (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      )}
    </section>
  );
}
