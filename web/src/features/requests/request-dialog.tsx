import { useState, type ReactNode } from 'react';
import { displayPrice, exactMoney } from '../../lib';
import { Ago, Copyable, Dialog, Status, When } from '../../ui';
import { Evidence } from '../evidence';
import { factsOf, type Fact } from './facts';
import { Facts } from './fact-list';
import type { AnyRequest } from './kind';
import styles from './request-dialog.module.css';

function decisionOf({ decision, currency }: AnyRequest): readonly Fact[] {
  if (decision === null) return [];
  const { at, by, converted, price, reason } = decision;
  const facts: Fact[] = [
    [
      'Decided',
      <>
        <When iso={at} /> <span className="soft">by {by}</span>
      </>,
    ],
  ];
  if (converted !== undefined)
    facts.push([
      'Booked',
      <span className="num">
        {exactMoney(converted, currency)} {currency}
        {price !== undefined && <span className="soft"> at {displayPrice(price)} USD</span>}
      </span>,
    ]);
  if (reason !== undefined) facts.push(['Reason', reason]);
  return facts;
}

type Props = {
  readonly request: AnyRequest;
  readonly title: string;
  readonly forAdmin: boolean;
  /** Shown when the outcome is not known here: somebody decided while this stood open. */
  readonly left: boolean;
  readonly onClose: () => void;
  /** Stands beside how it stands. */
  readonly besideStatus?: ReactNode;
  /** What is known of the evidence, beneath it. */
  readonly ofEvidence?: ReactNode;
  /** What can be done about the request, beneath its details. */
  readonly children?: ReactNode;
};

/** Widths in pixels: without a paper, with one beside the details, and with one that is looked at closely. */
const ALONE = 560;
const WITH_EVIDENCE = 860;
const CLOSELY = 1_400;

/** One request of any kind; a fund request has its evidence beside it. */
export default function RequestDialog(props: Props) {
  const { request, title, forAdmin, left, onClose, ofEvidence, besideStatus, children } = props;
  const [isLarge, setLarge] = useState(false);
  const isOpen = !request.closed && !left;
  const facts: readonly Fact[] = [
    [
      'Created',
      <>
        <When iso={request.createdAt} />{' '}
        {isOpen && (
          <span className="soft num">
            <Ago iso={request.createdAt} />
          </span>
        )}
      </>,
    ],
    ...factsOf(request, forAdmin),
    [
      'Status',
      <>
        <Status status={left && !request.closed ? 'decided' : request.status} /> {besideStatus}
      </>,
    ],
    ...decisionOf(request),
    ['Request id', <Copyable text={request.id} what="Request id" />],
  ];
  const evidence = 'evidence' in request ? request.evidence : undefined;
  const width = evidence === undefined ? ALONE : isLarge ? CLOSELY : WITH_EVIDENCE;
  return (
    <Dialog
      title={title}
      width={width}
      onClose={onClose}
      onBack={isLarge ? () => setLarge(false) : undefined}
    >
      <div className={styles.two} data-evidence={evidence !== undefined} data-large={isLarge}>
        <div className={styles.main}>
          <Facts facts={facts} />
          {children}
        </div>
        {evidence !== undefined && (
          <Evidence evidence={evidence} isLarge={isLarge} onLarge={setLarge}>
            {ofEvidence}
          </Evidence>
        )}
      </div>
    </Dialog>
  );
}
