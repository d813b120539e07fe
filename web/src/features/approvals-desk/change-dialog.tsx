import { useState } from 'react';
import { changeActs, type WaitingChange } from '#contracts';
import { When } from '../../ui';
import { Effect } from '../acts';
import { useApproveChangeMutation, useRejectChangeMutation } from '../approvals';
import { DecisionActs, ReasonField, Refused, type Verdict } from '../decision';
import { useMay } from '../duty';
import { changeName, valuesOf } from './change-words';
import { useVerdict } from './use-verdict';
import { WaitingDialog } from './waiting-dialog';
import styles from './approvals-desk.module.css';

type Props = {
  readonly waiting: WaitingChange;
  /** It waits no more: somebody decided it meanwhile, or it ran out. */
  readonly isGone: boolean;
  readonly onClose: () => void;
};

/** A change that waits for a second admin: what of, from what to what, who asked for it and why, and the decision. */
export default function ChangeDialog({ waiting, isGone, onClose }: Props) {
  const mayDecide = useMay(changeActs[waiting.part]);
  const { by, reason, since, until } = waiting;
  const rows = valuesOf(waiting).map(({ name, from, to }) => ({
    name,
    before: from ?? 'earlier',
    after: to,
  }));
  return (
    <WaitingDialog
      title="Change that waits"
      name="change"
      until={until}
      isGone={isGone}
      onClose={onClose}
      facts={
        <>
          <dt>Change</dt>
          <dd>
            <b>{changeName(waiting)}</b>
          </dd>
          <dt>Asked for by</dt>
          <dd>
            {by.name}, <When iso={since} />
          </dd>
          {reason !== undefined && (
            <>
              <dt>Reason</dt>
              <dd className={styles.reason}>{reason}</dd>
            </>
          )}
        </>
      }
    >
      {waiting.part === 'bonus' && (
        <p>A new cycle begins once it is approved, by the bonus policy of then.</p>
      )}
      {waiting.part !== 'bonus' && rows.length === 0 && <p>It is so already: approving changes nothing.</p>}
      {rows.length > 0 && <Effect caption="Once it is approved" rows={rows} />}
      {mayDecide && <Decision waiting={waiting} onClose={onClose} />}
    </WaitingDialog>
  );
}

const words = { leave: 'Cancel', reject: 'Reject', confirm: 'Approve' } as const;
const own = { ...words, reject: 'Take back' } as const;

function Decision({ waiting: { id: changeId, by, isOwn }, onClose }: Omit<Props, 'isGone'>) {
  const [reason, setReason] = useState('');
  const [approve] = useApproveChangeMutation();
  const [reject] = useRejectChangeMutation();
  const { send, sent, refusal } = useVerdict(changeId, {
    confirm: (input) => approve({ changeId, ...input }),
    reject: (input) => reject({ changeId, ...input }),
  });
  const decide = async (verdict: Verdict) => {
    if (await send(verdict, reason.trim())) onClose();
  };
  const mayApprove = !isOwn && by.counts;
  return (
    <>
      {isOwn && <p className="soft">You asked for it: another admin has to approve it.</p>}
      {!isOwn && !by.counts && (
        <p className="soft">{by.name} may not ask for this any more. It can only be rejected.</p>
      )}
      <ReasonField value={reason} onChange={setReason} />
      <Refused refusal={refusal} />
      <DecisionActs
        words={isOwn ? own : words}
        pressed={sent}
        verdicts={mayApprove ? ['reject', 'confirm'] : ['reject']}
        onDecide={decide}
        onClose={onClose}
      />
    </>
  );
}
