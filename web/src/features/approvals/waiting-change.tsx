import { Link } from 'react-router';
import { PAGE_SIZE_MAX, pagePaths, type ChangePart } from '#contracts';
import { useChangesQuery } from './api';
import styles from './approvals.module.css';

type Props = {
  readonly part: ChangePart;
  /** Whose, of what is somebody's. */
  readonly userId?: string;
};

/** Says that a change of this waits for another admin, and leads to it; nothing where none does. */
export function WaitingChange({ part, userId }: Props) {
  const { data } = useChangesQuery({ limit: PAGE_SIZE_MAX });
  const waits = data?.items.filter((one) => one.part === part && one.of?.userId === userId) ?? [];
  if (waits.length === 0) return null;
  const names = new Intl.ListFormat('en').format(new Set(waits.map(({ by }) => by.name)));
  return (
    <p role="status" className={styles.waits}>
      {waits.length === 1 ? 'A change' : `${waits.length} changes`} that {names} asked for{' '}
      {waits.length === 1 ? 'waits' : 'wait'} for another admin.{' '}
      <Link to={pagePaths.approvals}>Approvals</Link>
    </p>
  );
}
