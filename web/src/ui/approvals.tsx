import styles from './status.module.css';

type Props = { readonly given: number; readonly needed: number };

/** How many of the admins that something takes have approved it, beside how it stands. */
export function Approvals({ given, needed }: Props) {
  return (
    <span className={`num ${styles.approvals ?? ''}`}>
      {given} of {needed} approvals
    </span>
  );
}
