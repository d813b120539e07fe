import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { REASON_LENGTH_MAX } from '#contracts';
import { detailOf, refusalOf } from '../../api';
import { useKey } from '../../lib';
import { Dialog, LoadFailed, notifyAnswer, Skeleton } from '../../ui';
import { useMay } from '../duty';
import { WaitingChange } from '../approvals';
import { tellRefusal } from '../forms';
import { useDollarRateQuery, useSetDollarRateMutation } from './api';
import styles from './dollar-rate.module.css';

const FAILED = 'Failed to update dollar rate.';
/** In pixels. */
const WIDTH = 440;
const empty = { rate: '', reason: '' };

/** The dollar rate, and a new one. */
export default function DollarRateDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Dollar Rate" width={WIDTH} onClose={onClose}>
      <DollarRate />
    </Dialog>
  );
}

/** The rate in force, or what to do where there is none, and a new one. An empty one changes nothing. */
function DollarRate() {
  const { data, error, refetch } = useDollarRateQuery();
  const [set] = useSetDollarRateMutation();
  const key = useKey();
  const { register, handleSubmit, formState, reset, setError } = useForm({ defaultValues: empty });
  const submit = handleSubmit(async ({ rate, reason }) => {
    const typed = rate.trim();
    if (typed === '') return;
    const body = { rate: typed, reason: reason.trim() };
    if (body.reason === '') {
      setError('reason', { message: 'Please give a reason.' }, { shouldFocus: true });
      return;
    }
    const { error: refused, data: answer } = await set({ ...body, idempotencyKey: key.of(body) });
    if (refused === undefined) {
      key.done();
      reset(empty);
      notifyAnswer(answer);
      return;
    }
    const codes = { setting_invalid: 'rate' } as const;
    tellRefusal(refusalOf(refused, { failed: FAILED, codes, fields: ['rate', 'reason'] }), setError);
  });
  const { errors, isSubmitting } = formState;
  const maySet = useMay('set prices');
  return (
    <form className={`dialog-body ${styles.rate ?? ''}`} onSubmit={(event) => void submit(event)} noValidate>
      {error !== undefined && data === undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      ) : (
        <p className={styles.now}>{data === undefined ? <Skeleton width="18ch" /> : <Rate {...data} />}</p>
      )}
      <WaitingChange part="dollar-rate" />
      {maySet && (
        <>
          <TextInput
            label="New rate"
            description="Units of the payout currency for one US dollar."
            inputMode="decimal"
            autoComplete="off"
            error={errors.rate?.message}
            {...register('rate')}
          />
          <Textarea
            label="Reason"
            description="Kept with the act."
            rows={2}
            maxLength={REASON_LENGTH_MAX}
            error={errors.reason?.message}
            {...register('reason')}
          />
          <Button type="submit" disabled={isSubmitting}>
            {isSubmitting ? 'Please wait' : 'Set rate'}
          </Button>
        </>
      )}
    </form>
  );
}

function Rate({ rate, message }: { readonly rate: string | null; readonly message: string | null }) {
  if (rate === null) return message;
  return (
    <>
      <span className="soft">One US dollar is</span> <b className="num">{rate}</b>
    </>
  );
}
