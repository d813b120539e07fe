import { useRef, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { TransactionAction, type Verdict } from '../decision';
import { useMay } from '../duty';
import { RequestList, type AnyRequest } from '../requests';
import { ChoiceBar, ChoiceProvider, useChoice, type Choice } from './choice';
import type { Desk } from './kinds';
import { BulkDialog, NamedRequest } from './lazy-dialogs';
import { useDeskKeys } from './use-desk-keys';

/** The name of the request that an address opens beside the list. */
const NAMED = 'request';

type Props<Request extends AnyRequest> = {
  readonly kind: Desk<Request>;
  /** Whose requests; without one everybody's. */
  readonly userId?: string | undefined;
  /** Stands before the filters. */
  readonly before?: ReactNode;
};

/** The list in which an admin decides requests of a kind, one by one or those that are selected. */
export function RequestDesk<Request extends AnyRequest>({ kind, userId, before }: Props<Request>) {
  const [search, setSearch] = useSearchParams();
  const [intent, setIntent] = useState<Verdict>();
  const [bulk, setBulk] = useState<Verdict>();
  const choice = useChoice();
  const mayDecide = useMay('decide on money');
  const list = useRef<HTMLDivElement>(null);
  useDeskKeys({ list, hasChosen: choice.chosen.size > 0, onIntent: setIntent, onDecide: setBulk });
  const named = search.get(NAMED);
  const leaveNamed = () => {
    const next = new URLSearchParams(search);
    next.delete(NAMED);
    setSearch(next, { replace: true });
  };
  return (
    <ChoiceProvider value={mayDecide ? choice : undefined}>
      <ChoiceBar choice={choice} onDecide={setBulk} />
      <div ref={list}>
        <RequestList
          key={userId}
          kind={kind}
          userId={userId}
          forAdmin
          decides={mayDecide}
          before={before}
          dialog={(row, close) => (
            <TransactionAction
              key={row.request.id}
              row={row}
              intent={intent}
              onClose={() => {
                setIntent(undefined);
                close();
              }}
            />
          )}
        />
      </div>
      {bulk !== undefined && <Bulk choice={choice} verdict={bulk} onClose={() => setBulk(undefined)} />}
      {userId !== undefined && named !== null && (
        <NamedRequest kind={kind.name} of={{ userId, requestId: named }} onClose={leaveNamed} />
      )}
    </ChoiceProvider>
  );
}

type BulkProps = { readonly choice: Choice; readonly verdict: Verdict; readonly onClose: () => void };

/** What was selected when it was asked for; once some of it is decided nothing is selected any more. */
function Bulk({ choice, verdict, onClose }: BulkProps) {
  const [requests] = useState(() => [...choice.chosen.values()]);
  return (
    <BulkDialog
      requests={requests}
      verdict={verdict}
      onClose={(decided) => {
        if (decided) choice.clear();
        onClose();
      }}
    />
  );
}
