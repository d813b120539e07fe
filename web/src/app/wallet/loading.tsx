import { detailOf, type Failure } from '../../api';
import { LoadFailed, Skeleton } from '../../ui';
import styles from './form-screen.module.css';

type Props = { readonly of: { readonly error?: Failure; readonly refetch: () => unknown } };

/** Stands where a form will be once what it needs is there, or says why it isn't. */
export function Loading({ of: { error, refetch } }: Props) {
  return (
    <section className={`card ${styles.loading}`} aria-busy={error === undefined}>
      {error === undefined ? (
        <Skeleton width="24ch" />
      ) : (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      )}
    </section>
  );
}
