import { useFundRequestQuery, useTransferQuery, useWithdrawalQuery, detailOf, type Failure } from '../../api';
import { Dialog, LoadFailed } from '../../ui';
import { TransactionAction, type DecisionKind } from '../decision';
import type { AnyRequest } from '../requests';

/** In pixels. */
const WIDTH = 560;

type Of = { readonly userId: string; readonly requestId: string };
type Props = { readonly kind: DecisionKind; readonly of: Of; readonly onClose: () => void };
type Asked = {
  readonly data?: AnyRequest | undefined;
  readonly error?: Failure;
  readonly refetch: () => unknown;
};

/** One request of whichever kind, asked for by itself, to be decided. */
export default function NamedRequest({ kind, of, onClose }: Props) {
  if (kind === 'Funding') return <Funding of={of} onClose={onClose} />;
  if (kind === 'withdrawal') return <Withdrawal of={of} onClose={onClose} />;
  return <Transfer of={of} onClose={onClose} />;
}

type NamedProps = Omit<Props, 'kind'>;

function Funding({ of, onClose }: NamedProps) {
  return <Told asked={useFundRequestQuery(of)} onClose={onClose} />;
}

function Withdrawal({ of, onClose }: NamedProps) {
  return <Told asked={useWithdrawalQuery(of)} onClose={onClose} />;
}

function Transfer({ of, onClose }: NamedProps) {
  return <Told asked={useTransferQuery(of)} onClose={onClose} />;
}

function Told({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  const { data, error, refetch } = asked;
  if (data !== undefined) return <TransactionAction row={{ request: data, left: false }} onClose={onClose} />;
  if (error === undefined) return null;
  return (
    <Dialog title="Request" width={WIDTH} onClose={onClose}>
      <div className="dialog-body">
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      </div>
    </Dialog>
  );
}
