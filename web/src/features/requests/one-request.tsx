import type { OpenRequest } from '#contracts';
import { detailOf, useFundRequestQuery, useTransferQuery, useWithdrawalQuery, type Failure } from '../../api';
import { Dialog, LoadFailed } from '../../ui';
import type { AnyRequest } from './kind';
import RequestDialog from './request-dialog';

type Props = {
  readonly userId: string;
  readonly request: Pick<OpenRequest, 'id' | 'kind'>;
  readonly onClose: () => void;
};

/** One request of whichever kind, asked for by itself: it is told as it is now, also when it is decided meanwhile. */
export default function OneRequest({ userId, request, onClose }: Props) {
  const of = { userId, requestId: request.id };
  if (request.kind === 'Funding') return <Funding of={of} onClose={onClose} />;
  if (request.kind === 'withdrawal') return <Withdrawal of={of} onClose={onClose} />;
  return <Transfer of={of} onClose={onClose} />;
}

type Named = {
  readonly of: { readonly userId: string; readonly requestId: string };
  readonly onClose: () => void;
};

function Funding({ of, onClose }: Named) {
  return <Told asked={useFundRequestQuery(of)} title="Fund request" onClose={onClose} />;
}

function Withdrawal({ of, onClose }: Named) {
  return <Told asked={useWithdrawalQuery(of)} title="Transaction Details" onClose={onClose} />;
}

function Transfer({ of, onClose }: Named) {
  return <Told asked={useTransferQuery(of)} title="Transaction Details" onClose={onClose} />;
}

type ToldProps = {
  readonly asked: {
    readonly data?: AnyRequest | undefined;
    readonly error?: Failure;
    readonly refetch: () => unknown;
  };
  readonly title: string;
  readonly onClose: () => void;
};

function Told({ asked, title, onClose }: ToldProps) {
  const { data, error, refetch } = asked;
  if (data !== undefined)
    return <RequestDialog request={data} title={title} forAdmin={false} left={false} onClose={onClose} />;
  if (error === undefined) return null;
  return (
    <Dialog title={title} width={560} onClose={onClose}>
      <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
    </Dialog>
  );
}
