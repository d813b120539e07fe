import { useRef } from 'react';
import type { FundRequestView } from '#contracts';
import { DecidedMeanwhile, DecisionForm } from '../../features/decision';
import { RequestDialog, type Row } from '../../features/requests';

/** The admin's dialog about a request. It follows the row: when somebody else decides, it says so and takes its buttons away. */
export function TransactionAction({
  row,
  onClose,
}: {
  readonly row: Row<FundRequestView>;
  readonly onClose: () => void;
}) {
  const wasOpen = useRef(!row.request.closed && !row.left).current;
  const isOpen = !row.request.closed && !row.left;
  return (
    <RequestDialog {...row} title="Transaction Action" forAdmin onClose={onClose}>
      {isOpen && <DecisionForm request={row.request} onClose={onClose} />}
      {!isOpen && wasOpen && <DecidedMeanwhile onClose={onClose} />}
    </RequestDialog>
  );
}
