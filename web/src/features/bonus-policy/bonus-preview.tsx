import type { BonusPreview as Preview } from '#contracts';
import { detailOf } from '../../api';
import { displayMoney, exactMoney, useAddress } from '../../lib';
import { DataList, LoadFailed, Notice, Skeleton, When, type DataColumn } from '../../ui';
import { useBonusPreviewQuery } from './api';
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
        <Sum preview={data} />
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

function Sum({ preview }: { readonly preview: Preview | undefined }) {
  if (preview === undefined) return <Skeleton width="32ch" />;
  const { at, policy, sum } = preview;
  return (
    <p role="status" className={styles.sum}>
      {!sum.isWhole && 'At least '}
      <b className="num">{displayMoney(sum.amount, 'USD')} USD</b>{' '}
      <span className="soft num">
        ({exactMoney(sum.converted, policy.currency)} {policy.currency})
      </span>{' '}
      to {sum.accounts} {sum.accounts === 1 ? 'account' : 'accounts'} for {sum.days}{' '}
      {sum.days === 1 ? 'day' : 'days'}, <When iso={at} />.
      {sum.refused > 0 && ` ${sum.refused} can’t take it: they would have more than an account holds.`}
    </p>
  );
}
