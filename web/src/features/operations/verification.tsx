import { Button } from '@mantine/core';
import { detailOf, refusalOf, type Failure } from '../../api';
import { ListCard, LoadFailed, notifyError, Skeleton } from '../../ui';
import { useMay } from '../duty';
import {
  pollingOf,
  useCancelVerificationMutation,
  useVerificationKnown,
  useVerificationQuery,
  useVerifyMutation,
} from './api';
import { Chore } from './chore';
import styles from './operations.module.css';

/** The check of the whole log: how far it is or what it found, and ways to begin it and to stop it. */
export function Verification() {
  const known = useVerificationKnown(undefined);
  const list = useVerificationQuery(undefined, pollingOf(known.data?.run));
  const [verify, begun] = useVerifyMutation();
  const [cancel, canceled] = useCancelVerificationMutation();
  const mayVerify = useMay('operate');
  const run = list.data?.run;
  const isUnderWay = run?.state === 'running';
  const tell = (error: Failure | undefined, failed: string) => {
    const refusal = error === undefined ? undefined : refusalOf(error, { failed });
    if (refusal?.kind === 'refused') notifyError(refusal.message);
    void list.refetch();
  };
  const onVerify = async () => tell((await verify(undefined)).error, 'The check could not be begun.');
  const onCancel = async () => tell((await cancel(undefined)).error, 'The check could not be canceled.');
  return (
    <ListCard
      title="Verification"
      action={
        mayVerify && (
          <Button
            variant="default"
            size="xs"
            disabled={begun.isLoading || isUnderWay}
            onClick={() => void onVerify()}
          >
            {begun.isLoading || isUnderWay ? 'Please wait' : 'Verify now'}
          </Button>
        )
      }
    >
      {list.data === undefined && list.error !== undefined && (
        <LoadFailed detail={detailOf(list.error)} onRetry={() => void list.refetch()} />
      )}
      {list.data === undefined && list.error === undefined && (
        <p className={styles.chore}>
          <Skeleton width="40ch" />
        </p>
      )}
      {run === null && (
        <p className={styles.chore}>
          Nobody has had it verified from here yet. Every chain, posting and balance of the log is checked,
          and the read models, the uploaded files and the identities against it, beside everything else.
        </p>
      )}
      {run != null && (
        <Chore
          run={run}
          name="Verification"
          good="Nothing is wrong."
          cancel={mayVerify ? { isBusy: canceled.isLoading, onCancel: () => void onCancel() } : undefined}
        />
      )}
    </ListCard>
  );
}
