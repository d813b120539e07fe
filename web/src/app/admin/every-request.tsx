import { everyDesk, NamedRequest } from '../../features/desk';
import { useMay } from '../../features/duty';
import { RequestList } from '../../features/requests';

/** Requests of every kind and of everybody, the newest first, with what is decided on them. */
export default function EveryRequest() {
  const mayDecide = useMay('decide on money');
  return (
    <RequestList
      kind={everyDesk}
      forAdmin
      decides={mayDecide}
      before={<h2>History</h2>}
      dialog={({ request }, close) => (
        <NamedRequest
          key={request.id}
          kind={request.kind}
          of={{ userId: request.userId, requestId: request.id }}
          onClose={close}
        />
      )}
    />
  );
}
