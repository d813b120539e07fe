import { useRef } from 'react';
import { Approvals } from '../../ui';
import { useWaiting } from '../approvals';
import { useMay } from '../duty';
import { RequestDialog, type AnyRequest, type Row } from '../requests';
import { DecidedMeanwhile, DecisionForm } from './decision-form';
import { EvidenceUses } from './evidence-uses';
import { kindOf, wordsOf, type Verdict } from './words';

type Props = {
  readonly row: Row<AnyRequest>;
  /** What somebody came to do. */
  readonly intent?: Verdict | undefined;
  readonly onClose: () => void;
};

/** The admin's dialog about a request. It follows the row: when somebody else decides, it says so and takes its buttons away. */
export default function TransactionAction({ row, intent, onClose }: Props) {
  const isOpen = !row.request.closed && !row.left;
  const wasOpen = useRef(isOpen).current;
  const waiting = useWaiting(row.request);
  const count = waiting?.approvals ?? row.request.approvals;
  const mayDecide = useMay('decide on money');
  return (
    <RequestDialog
      {...row}
      title={wordsOf[kindOf(row.request)].title}
      forAdmin
      onClose={onClose}
      besideStatus={isOpen && count && <Approvals {...count} />}
      ofEvidence={'evidence' in row.request && <EvidenceUses request={row.request} />}
    >
      {isOpen && mayDecide && (
        <DecisionForm request={row.request} waiting={waiting} intent={intent} onClose={onClose} />
      )}
      {!isOpen && wasOpen && <DecidedMeanwhile onClose={onClose} />}
    </RequestDialog>
  );
}
