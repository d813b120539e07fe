import { Button } from '@mantine/core';
import { pagePaths, type AdminList, type WaitingApproval } from '#contracts';
import { useUser } from '../../api';
import { copyText } from '../../ui';
import { useAdminsQuery } from './api';
import { decidersIn } from './deciders';
import { anyOf } from './words';
import styles from './approvals.module.css';

/** Those who may decide besides somebody, and did not yet. */
function othersThan(userId: string, { admins }: AdminList, { by }: WaitingApproval): readonly string[] {
  const given = new Set(by.filter(({ counts }) => counts).map((one) => one.userId));
  return decidersIn(admins)
    .filter((admin) => admin.userId !== userId && !given.has(admin.userId))
    .map(({ name }) => name);
}

function whoMay(names: readonly string[]): string {
  if (names.length === 0)
    return 'No other admin may decide it now: an owner has to let one in, or change the limit.';
  return `${anyOf(names)} may decide it.`;
}

/** The link that leads another admin to what waits. */
function linkTo({ id, userId }: WaitingApproval): string {
  const search = new URLSearchParams({ person: userId, open: id }).toString();
  return `${location.origin}${pagePaths.approvals}?${search}`;
}

/** Says who else may decide what waits, and copies a link for them. */
export function AskAnother({ waiting }: { readonly waiting: WaitingApproval }) {
  const { userId } = useUser();
  const { data } = useAdminsQuery();
  return (
    <div className={styles.ask}>
      <p className="soft">
        {data !== undefined && `${whoMay(othersThan(userId, data, waiting))} `}The button copies a link to
        send.
      </p>
      <Button variant="default" onClick={() => void copyText({ text: linkTo(waiting), what: 'Link' })}>
        {waiting.approvals.given === 1 ? 'Ask a second admin' : 'Ask another admin'}
      </Button>
    </div>
  );
}
