import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { BulkDecisionResult, BulkDecisionsAnswer, PricesView } from '#contracts';
import { addMoney, displayMoney, exactMoney, newKey } from '../../lib';
import { detailOf, isOutcomeUnknown, isSessionOver, UNKNOWN_OUTCOME, usePricesQuery } from '../../api';
import { Dialog, notifyError, notifyInfo, notifySuccess } from '../../ui';
import { bookedFor, failed, kindOf, ReasonField, type Verdict } from '../decision';
import type { AnyRequest } from '../requests';
import { useDecideRequestsMutation } from './api';
import styles from './desk.module.css';

/** In pixels. */
const WIDTH = 620;

const titles = { confirm: 'Confirm selected requests', reject: 'Reject selected requests' } as const;
const acts = { confirm: 'Confirm', reject: 'Reject' } as const;
const effects = {
  confirm:
    'Each is decided by itself: what is funded is booked at the price in force, what is on hold leaves. One that takes more ' +
    'approvals moves nothing before it has them.',
  reject: 'Each is decided by itself: what is on hold is available to its customer again.',
} as const;

/** Dollars by what they are paid in. */
function sumsOf(requests: readonly AnyRequest[]): readonly (readonly [currency: string, sum: string])[] {
  const sums = new Map<string, string>();
  for (const { currency, amount } of requests)
    sums.set(currency, addMoney(sums.get(currency) ?? '0.00', amount, 'USD'));
  return [...sums].sort(([one], [two]) => one.localeCompare(two));
}

/** What came of an item, in the words that one decision is told in. */
function wordsOf(result: BulkDecisionResult | undefined, verdict: Verdict): string {
  if (result === undefined) return '';
  if (result.status === 'decided' && result.approvals !== undefined)
    return `approval recorded, ${result.approvals.given} of ${result.approvals.needed}`;
  if (result.status === 'decided') return verdict === 'confirm' ? 'confirmed' : 'rejected';
  return result.status === 'unknown' ? UNKNOWN_OUTCOME : result.problem.detail;
}

/** What deciding a request does to its customer's balances; a deposit's as soon as the prices in force are known. */
function effectOf(request: AnyRequest, verdict: Verdict, prices: PricesView['prices'] | undefined): string {
  const { amount, currency } = request;
  const both = (converted: string, sign = '') =>
    `${sign}${displayMoney(amount, 'USD')} USD, ${sign}${exactMoney(converted, currency)} ${currency}`;
  if ('hold' in request)
    return verdict === 'confirm'
      ? `${both(request.hold.converted)} leave what is on hold`
      : `${both(request.hold.converted)} are available again`;
  if (verdict === 'reject') return 'No balance changes';
  return prices === undefined ? '…' : both(bookedFor(request, prices), '+');
}

type Props = {
  readonly requests: readonly AnyRequest[];
  readonly verdict: Verdict;
  /** Told whether any is decided or approved, and closed with the dialog. */
  readonly onClose: (decided: boolean) => void;
};

/** Sends one verdict about many requests; whatever is not decided yet is sent again under its key. */
function useBulk(requests: readonly AnyRequest[], verdict: Verdict) {
  const [send, { isLoading }] = useDecideRequestsMutation();
  const keys = useRef(new Map(requests.map(({ id }) => [id, newKey()])));
  const [answer, setAnswer] = useState<BulkDecisionsAnswer>();
  const decide = async (reason: string) => {
    const items = requests.map((request) => ({
      key: keys.current.get(request.id) ?? newKey(),
      userId: request.userId,
      requestId: request.id,
      kind: kindOf(request),
    }));
    const { data, error } = await send({ items, verdict, ...(reason === '' ? {} : { reason }) });
    if (data !== undefined) {
      setAnswer(data);
      if (data.decided > 0) notifySuccess(data.message);
      else if (data.waiting !== undefined) notifyInfo(data.message);
      return;
    }
    if (isSessionOver(error)) return;
    notifyError(isOutcomeUnknown(error) ? UNKNOWN_OUTCOME : (detailOf(error) ?? failed[verdict]));
  };
  return { decide, answer, isLoading };
}

/** Lists what is selected with its sums, takes a reason, and says what came of each. */
export default function BulkDialog({ requests, verdict, onClose }: Props) {
  const [reason, setReason] = useState('');
  const { decide, answer, isLoading } = useBulk(requests, verdict);
  const close = () => onClose((answer?.decided ?? 0) + (answer?.waiting ?? 0) > 0);
  const isDone = answer !== undefined && answer.unknown === undefined;
  return (
    <Dialog title={titles[verdict]} width={WIDTH} onClose={close}>
      <div className={styles.body}>
        <Rows requests={requests} verdict={verdict} answer={answer} />
        <dl className={styles.sums}>
          {sumsOf(requests).map(([currency, sum]) => (
            <div key={currency}>
              <dt>Paid in {currency}</dt>
              <dd className="num">{displayMoney(sum, 'USD')} USD</dd>
            </div>
          ))}
        </dl>
        {answer === undefined ? (
          <>
            <p className="soft">{effects[verdict]}</p>
            <ReasonField label="Reason, kept with each decision" value={reason} onChange={setReason} />
          </>
        ) : (
          <p role="status">
            <b>{answer.message}</b>
          </p>
        )}
        <div className={styles.acts}>
          <Button variant="subtle" onClick={close}>
            {answer === undefined ? 'Cancel' : 'Close list'}
          </Button>
          {!isDone && (
            <Button
              variant={verdict === 'confirm' ? 'filled' : 'danger'}
              data-verdict={verdict}
              disabled={isLoading}
              onClick={() => void decide(reason.trim())}
            >
              {isLoading ? 'Please wait' : `${acts[verdict]} ${requests.length}`}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

type RowsProps = Pick<Props, 'requests' | 'verdict'> & { readonly answer: BulkDecisionsAnswer | undefined };

function Rows({ requests, verdict, answer }: RowsProps) {
  const prices = usePricesQuery().data?.prices;
  const results = new Map(answer?.results.map((result) => [result.requestId, result]));
  return (
    <div className={styles.rows} tabIndex={0} role="region" aria-label="Requests to decide">
      <table>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Customer</th>
            <th scope="col">Kind</th>
            <th scope="col">Amount, USD</th>
            <th scope="col">{answer === undefined ? 'What changes' : 'What came of it'}</th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => {
            const result = results.get(request.id);
            return (
              <tr key={request.id} data-result={result?.status}>
                <td>{request.customer}</td>
                <td className="soft">
                  <span className={styles.kind}>{kindOf(request)}</span>, {request.currency}
                </td>
                <td className="num">{displayMoney(request.amount, 'USD')}</td>
                <td className={styles.result}>
                  {answer === undefined ? effectOf(request, verdict, prices) : wordsOf(result, verdict)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
