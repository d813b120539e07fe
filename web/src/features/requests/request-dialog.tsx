import type { ReactNode } from 'react';
import { displayMoney, type FundRequestView } from '#contracts';
import { displayPrice, exactMoney, formatAge, useNow } from '../../lib';
import { Dialog, Status, When } from '../../ui';
import { Evidence } from './evidence';
import styles from './request-dialog.module.css';

/** A 10-digit account number in groups that can be read aloud. */
function groupedAccount(number: string): string {
  return number.replace(/^(\d{4})(\d{4})(\d+)$/, '$1 $2 $3');
}

function DecisionDetails({ request }: { readonly request: FundRequestView }) {
  const { decision } = request;
  if (decision === null) return null;
  return (
    <>
      <dt>Decided</dt>
      <dd>
        <When iso={decision.at} /> <span className="soft">by {decision.by}</span>
      </dd>
      {decision.converted !== undefined && (
        <>
          <dt>Booked</dt>
          <dd className="num">
            {exactMoney(decision.converted, request.currency)} {request.currency}
            {decision.price !== undefined && (
              <span className="soft"> at {displayPrice(decision.price)} USD</span>
            )}
          </dd>
        </>
      )}
      {decision.reason !== undefined && (
        <>
          <dt>Reason</dt>
          <dd className={styles.reason}>{decision.reason}</dd>
        </>
      )}
    </>
  );
}

type Props = {
  readonly request: FundRequestView;
  readonly title: string;
  readonly forAdmin: boolean;
  /** Shown when the outcome is not known here: somebody decided while this stood open. */
  readonly left: boolean;
  readonly onClose: () => void;
  /** What can be done about the request, beneath its details. */
  readonly children?: ReactNode;
};

/** One request, with its evidence beside it. */
export default function RequestDialog({ request, title, forAdmin, left, onClose, children }: Props) {
  const now = useNow();
  return (
    <Dialog title={title} width={860} onClose={onClose}>
      <div className={styles.two}>
        <div className={styles.main}>
          <dl className={styles.facts}>
            <dt>Amount</dt>
            <dd className="num">
              <b>{displayMoney(request.amount, 'USD')} USD</b>{' '}
              <span className="soft">paid in {request.currency}</span>
            </dd>
            {forAdmin && (
              <>
                <dt>Customer</dt>
                <dd>
                  {request.customer}{' '}
                  <span className="code faint nowrap">{groupedAccount(request.accountNumber)}</span>
                </dd>
              </>
            )}
            <dt>Status</dt>
            <dd>
              <Status status={left && !request.closed ? 'decided' : request.status} />{' '}
              {!request.closed && !left && (
                <span className="soft num">
                  since <When iso={request.createdAt} />, {formatAge(request.createdAt, now)}
                </span>
              )}
            </dd>
            {(request.closed || left) && (
              <>
                <dt>Created</dt>
                <dd>
                  <When iso={request.createdAt} />
                </dd>
              </>
            )}
            <dt>Request id</dt>
            <dd className={`code ${styles.reason ?? ''}`}>{request.id}</dd>
            <DecisionDetails request={request} />
          </dl>
          {children}
        </div>
        <Evidence evidence={request.evidence} />
      </div>
    </Dialog>
  );
}
