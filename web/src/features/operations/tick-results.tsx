import { useSearchParams } from 'react-router';
import type { TickResults as Results } from '#contracts';
import { detailOf } from '../../api';
import { displayMoney } from '../../lib';
import { DataList, Notice, When, type DataColumn } from '../../ui';
import { useTickResultsQuery } from './api';

type Paid = Results['items'][number];

const columns: readonly DataColumn<Paid>[] = [
  { head: 'Account', place: 'lead', width: '16ch', cell: ({ name }) => name },
  {
    head: 'Days',
    place: 'more',
    width: '8ch',
    cell: ({ days, bonusDays }) => `${days} paid, ${bonusDays} of the cycle`,
  },
  { head: 'Booked', place: 'date', width: '12ch', cell: ({ at }) => <When iso={at} /> },
  {
    head: 'In currency',
    place: 'state',
    width: '12ch',
    cell: ({ converted, currency }) => `${displayMoney(converted, currency)} ${currency}`,
  },
  { head: 'Amount, USD', place: 'figure', width: '8ch', cell: ({ amount }) => displayMoney(amount, 'USD') },
];

/** What a run of the bonus tick paid, account by account, a page at a time. */
export function TickResults({ slot }: { readonly slot: string }) {
  const [search, setSearch] = useSearchParams();
  const cursor = search.get('cursor') ?? undefined;
  const results = useTickResultsQuery({ slot, ...(cursor !== undefined && { cursor }) });
  return (
    <DataList
      label={`What the bonus tick of ${slot} paid`}
      columns={columns}
      page={results.currentData}
      failure={
        results.error === undefined
          ? undefined
          : { detail: detailOf(results.error), onRetry: () => void results.refetch() }
      }
      keyOf={({ eventId }) => eventId}
      onGo={(to) => setSearch({ tick: slot, cursor: to })}
      empty={<Notice title="No logs available.">This run paid nobody: nothing was due.</Notice>}
    />
  );
}
