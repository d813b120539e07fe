import type { BonusPreview as Preview } from '#contracts';
import { detailOf } from '../../api';
import { displayMoney, exactMoney, useAddress } from '../../lib';
import { DataList, LoadFailed, Notice, type DataColumn } from '../../ui';
import { useBonusPreviewQuery } from './api';
import { BonusSum } from './bonus-sum';
import { differences, type Policy } from './policy';
import styles from './bonus-preview.module.css';

const none = [] as const;
const LIMIT = 10;

type Item = Preview['items'][number];

function columnsOf({ currency }: Policy): readonly DataColumn<Item>[] {
  return [
    { head: 'Customer', place: 'lead', width: '14ch', cell: ({ customer }) => customer },
    {
      head: 'Account',
      place: 'more',
      width: '10ch',
      cell: ({ accountNumber }) => <span className="code">{accountNumber}</span>,
    },
    {
      head: 'Days due',
      place: 'state',
      width: '4ch',
      cell: ({ days }) => <span className="num">{days}</span>,
    },
    {
      head: `In ${currency}`,
      place: 'more',
      width: '10ch',
      cell: ({ converted }) => (
        <span className="num">
          {exactMoney(converted, currency)} {currency}
        </span>
      ),
    },
    {
      head: 'Amount, USD',
      place: 'figure',
      width: '8ch',
      cell: ({ amount }) => displayMoney(amount, 'USD'),
    },
  ];
}

type Props = {
  readonly inForce: Policy;
  /** What is typed; undefined as long as something is wrong with it. */
  readonly typed: Policy | undefined;
};

/** What the next tick would pay, to whom and in all, by what is typed or else by the policy in force. Nothing comes of it. */
export function BonusPreview({ inForce, typed }: Props) {
  const { values, set } = useAddress(none);
  const policy = typed ?? inForce;
  const isChanged = differences(inForce, policy).length > 0;
  const {
    currentData: data,
    error,
    refetch,
  } = useBonusPreviewQuery({
    ...policy,
    limit: LIMIT,
    cursor: values.cursor,
  });
  return (
    <section aria-labelledby="bonus-preview" className={styles.preview}>
      <h3 id="bonus-preview">{isChanged ? 'What this policy would pay' : 'What the next tick would pay'}</h3>
      {error === undefined ? (
        <BonusSum preview={data} />
      ) : (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      )}
      {error === undefined && (
        <DataList
          label="What each account would be paid"
          columns={columnsOf(policy)}
          page={data}
          keyOf={({ userId }) => userId}
          onGo={(cursor) => set({ cursor })}
          empty={<Notice title="No logs available.">No account has a day due by then.</Notice>}
          skeletonRows={3}
        />
      )}
    </section>
  );
}
