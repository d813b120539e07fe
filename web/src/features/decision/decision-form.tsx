import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { FundRequestView } from '#contracts';
import { useAccountQuery, usePricesQuery } from '../../api';
import { displayMoney, displayPrice } from '../../lib';
import { LoadFailed, Skeleton } from '../../ui';
import { effectOf } from './effect';
import { useDecision, type Verdict } from './use-decision';
import styles from './decision-form.module.css';

const REASON_MAX = 500;

function EffectTable({ request }: { readonly request: FundRequestView }) {
  const account = useAccountQuery({ userId: request.userId });
  const prices = usePricesQuery();
  if (account.isError || prices.isError) {
    return (
      <LoadFailed
        onRetry={() => {
          void account.refetch();
          void prices.refetch();
        }}
      />
    );
  }
  const effect = account.data && prices.data && effectOf(request, account.data, prices.data.prices);
  const { currency } = request;
  const rows = [
    { name: 'Wallet, USD', unit: 'USD', balance: effect?.wallet },
    {
      name: `${currency} at ${effect ? displayPrice(effect.price) : '…'}`,
      unit: currency,
      balance: effect?.asset,
    },
  ] as const;
  return (
    <table className={styles.effect}>
      <caption className="label">If you confirm</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Balance</th>
          <th scope="col">Now</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, unit, balance }) => (
          <tr key={unit}>
            <th scope="row">{name}</th>
            <td className="num soft">
              {balance ? displayMoney(balance.before, unit) : <Skeleton width="7ch" />}
              <span aria-hidden="true" className="faint">
                {' '}
                →
              </span>
            </td>
            <td className="num">
              <b>{balance ? displayMoney(balance.after, unit) : <Skeleton width="7ch" />}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Props = { readonly request: FundRequestView; readonly onClose: () => void };

/** What an open request would change, and the decision about it. */
export function DecisionForm({ request, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [pressed, setPressed] = useState<Verdict>();
  const { send, isLoading } = useDecision(request);
  const decide = async (verdict: Verdict) => {
    setPressed(verdict);
    if (await send(verdict, reason.trim())) onClose();
  };
  const word = (verdict: Verdict, text: string) => (isLoading && pressed === verdict ? 'Please wait' : text);
  return (
    <div className={styles.decision}>
      <EffectTable request={request} />
      <Textarea
        label="Reason, kept with the decision"
        value={reason}
        maxLength={REASON_MAX}
        rows={2}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className={styles.acts}>
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <span />
        <Button variant="danger" disabled={isLoading} onClick={() => void decide('reject')}>
          {word('reject', 'Reject')}
        </Button>
        <Button disabled={isLoading} onClick={() => void decide('confirm')}>
          {word('confirm', 'Confirm')}
        </Button>
      </div>
    </div>
  );
}

/** Stands in the form's place when the request was decided while it was open. */
export function DecidedMeanwhile({ onClose }: { readonly onClose: () => void }) {
  return (
    <div className={styles.decision}>
      <p role="status" className={styles.meanwhile}>
        <b>Transaction Closed</b> Somebody else decided this request while it was open here.
      </p>
      <div className={styles.acts}>
        <span />
        <Button variant="default" onClick={onClose}>
          Close request
        </Button>
      </div>
    </div>
  );
}
