import { useState } from 'react';
import { generatePath, Link } from 'react-router';
import { pagePaths, type WaitingApproval } from '#contracts';
import { Approvals } from '../../ui';
import {
  AskAnother,
  GivenBy,
  useApproveAdjustmentMutation,
  useNeeded,
  useRejectAdjustmentMutation,
} from '../approvals';
import { DecisionActs, ReasonField, Refused, Steps, type Verdict } from '../decision';
import { useMay } from '../duty';
import { AdjustmentEffect } from './adjustment-effect';
import { useVerdict } from './use-verdict';
import { WaitingDialog } from './waiting-dialog';
import { dollarsOf } from './words';
import styles from './approvals-desk.module.css';

type Props = {
  readonly waiting: WaitingApproval;
  /** It waits no more: somebody decided it meanwhile, or it ran out. */
  readonly isGone: boolean;
  readonly onClose: () => void;
};

/** An adjustment by hand that waits for other admins: whose, what it would change, who approved it, and the decision. */
export default function AdjustmentDialog({ waiting, isGone, onClose }: Props) {
  const mayDecide = useMay('decide on money');
  const { amounts, approvals, customer, until, userId } = waiting;
  return (
    <WaitingDialog
      title="Waiting adjustment"
      name="adjustment"
      beside={<Approvals {...approvals} />}
      until={until}
      known={<GivenBy of={waiting} />}
      isGone={isGone}
      onClose={onClose}
      facts={
        <>
          <dt>Customer</dt>
          <dd>
            <Link to={generatePath(pagePaths.person, { userId })}>{customer}</Link>
          </dd>
          <dt>Amount</dt>
          <dd className="num">
            {dollarsOf(waiting).map((dollars, n) => (
              <span key={amounts[n]?.currency} className={styles.amount}>
                <b>{dollars} USD</b> <span className="soft">in {amounts[n]?.currency}</span>
              </span>
            ))}
          </dd>
        </>
      }
    >
      <AdjustmentEffect waiting={waiting} />
      {mayDecide && <Decision waiting={waiting} onClose={onClose} />}
    </WaitingDialog>
  );
}

const words = { leave: 'Cancel', reject: 'Reject', confirm: 'Approve' } as const;

function Decision({ waiting, onClose }: Omit<Props, 'isGone'>) {
  const { amounts, approvals, isOwn } = waiting;
  const [reason, setReason] = useState('');
  const of = { userId: waiting.userId, requestId: waiting.id };
  const [approve] = useApproveAdjustmentMutation();
  const [reject] = useRejectAdjustmentMutation();
  const { send, sent, refusal } = useVerdict(waiting.id, {
    confirm: (input) => approve({ ...of, ...input }),
    reject: (input) => reject({ ...of, ...input }),
  });
  const asked = useNeeded(Object.fromEntries(amounts.map(({ amount, currency }) => [currency, amount])));
  const steps = { ...approvals, needed: Math.max(approvals.needed, asked) };
  const decide = async (verdict: Verdict) => {
    if (await send(verdict, reason.trim())) onClose();
  };
  return (
    <>
      <p className={`soft ${styles.follows ?? ''}`}>
        Rejecting moves nothing. Approving books it at the prices of then.
      </p>
      {!isOwn && <Steps of={steps} />}
      <ReasonField value={reason} onChange={setReason} />
      <Refused refusal={refusal} />
      {isOwn && <AskAnother waiting={waiting} />}
      <DecisionActs
        words={words}
        pressed={sent}
        verdicts={isOwn ? ['reject'] : ['reject', 'confirm']}
        onDecide={decide}
        onClose={onClose}
      />
    </>
  );
}
