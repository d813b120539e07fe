import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { PAYOUT_REFERENCE_MAX, type WaitingApproval } from '#contracts';
import { displayMoney } from '../../lib';
import { AskAnother, GivenBy, useNeeded } from '../approvals';
import type { AnyRequest } from '../requests';
import { Closed, DecisionActs, ReasonField, Refused, Steps } from './decision-parts';
import { EffectTable } from './effect-table';
import { useDecision, type Said } from './use-decision';
import { kindOf, wordsOf, type Verdict } from './words';
import styles from './decision-form.module.css';

type Props = {
  readonly request: AnyRequest;
  /** Who approved it already, where it takes several admins. */
  readonly waiting: WaitingApproval | undefined;
  /** What somebody came to do, whose button then has the focus. */
  readonly intent?: Verdict | undefined;
  readonly onClose: () => void;
};

/** What rejecting does for the customer, which the table does not say. */
function Rejecting({ request }: Pick<Props, 'request'>) {
  const amount = `${displayMoney(request.amount, 'USD')} USD`;
  return (
    <p className={`soft ${styles.rejecting ?? ''}`}>
      {'hold' in request
        ? `Rejecting makes the ${amount} on hold available to ${request.customer} again.`
        : 'Rejecting moves nothing.'}
    </p>
  );
}

/** What an open request would change, and the decision about it. Whoever approved it already asks somebody else, or rejects it. */
export function DecisionForm({ request, waiting, intent, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [payoutReference, setPayoutReference] = useState('');
  const [pressed, setPressed] = useState<Verdict>();
  const { send, refusal, isLoading } = useDecision(request);
  const { given = 0, needed = 1 } = waiting?.approvals ?? {};
  const asked = useNeeded({ [request.currency]: request.amount });
  const steps = { given, needed: Math.max(needed, asked) };
  const isOwn = waiting?.isOwn === true;
  const isLast = !isOwn && given + 1 >= steps.needed;
  const kind = kindOf(request);
  const decide = async (verdict: Verdict) => {
    setPressed(verdict);
    const paid = verdict === 'confirm' && kind === 'withdrawal' ? { payoutReference } : {};
    if (await send(verdict, filled({ reason, ...paid }))) onClose();
  };
  return (
    <div className={styles.decision}>
      {waiting !== undefined && <GivenBy of={waiting} />}
      <EffectTable request={request} caption={isLast ? 'If you confirm' : 'Once it is approved'} />
      <Rejecting request={request} />
      {!isOwn && <Steps of={steps} />}
      {kind === 'withdrawal' && isLast && (
        <TextInput
          label="Payout reference, if there is one"
          description="Such as the id of the transaction. The customer is shown it."
          value={payoutReference}
          maxLength={PAYOUT_REFERENCE_MAX}
          onChange={(event) => setPayoutReference(event.currentTarget.value)}
        />
      )}
      <ReasonField value={reason} onChange={setReason} />
      <Refused refusal={refusal} />
      {isOwn && <AskAnother waiting={waiting} />}
      <DecisionActs
        words={wordsOf[kind]}
        intent={intent}
        pressed={isLoading ? pressed : undefined}
        verdicts={isOwn ? ['reject'] : ['reject', 'confirm']}
        onDecide={decide}
        onClose={onClose}
      />
    </div>
  );
}

/** What was said: blanks and what is empty are left out. */
function filled(said: Readonly<Record<string, string>>): Said {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
  );
}

/** Stands in the form's place when the request was decided while it was open. */
export function DecidedMeanwhile({ onClose }: { readonly onClose: () => void }) {
  return (
    <div className={styles.decision}>
      <Closed leave="Close request" onClose={onClose}>
        Somebody else decided this request while it was open here.
      </Closed>
    </div>
  );
}
