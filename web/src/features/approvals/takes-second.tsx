import { changeActs, mayDo, type ChangePart } from '#contracts';
import { useUser } from '../../api';
import { useAdminsQuery } from './api';
import { anyOf } from './words';
import styles from './approvals.module.css';

/** Says before it is asked for that such a change takes a second admin, and who may be that; nothing where one admin makes it. */
export function TakesSecond({ part }: { readonly part: ChangePart }) {
  const { userId } = useUser();
  const { data } = useAdminsQuery();
  const act = changeActs[part];
  const others = data?.admins.filter(
    (admin) => admin.userId !== userId && admin.status === 'active' && mayDo(admin.duty, act),
  );
  if (others === undefined || others.length === 0) return null;
  return (
    <p className={styles.waits}>
      It takes a second admin: nothing is changed before {anyOf(others.map(({ name }) => name))} approves it.
    </p>
  );
}
