import CircleAlert from 'lucide-react/icons/circle-alert';
import styles from './form.module.css';

/** What is wrong with a form as a whole; read out when it appears. */
export function FormError({ id, message }: { readonly id?: string; readonly message: string | undefined }) {
  return (
    <div role="alert" id={id} className={styles.refusal} hidden={message === undefined}>
      {message !== undefined && (
        <>
          <CircleAlert className="icon small" aria-hidden="true" />
          {message}
        </>
      )}
    </div>
  );
}
