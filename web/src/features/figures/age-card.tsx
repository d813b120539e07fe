import { exactMoney } from '../../lib';
import { AgePlot, ageWords, countOf } from './age-plot';
import { nowAndThen, useRequestsByAgeQuery } from './api';
import { ChartCard } from './chart-card';
import { failedOf } from './failed';
import { Twin } from './twin';
import styles from './figures.module.css';

/** How many requests wait for a decision, by how long they have. */
export function AgeCard() {
  const asked = useRequestsByAgeQuery(undefined, nowAndThen);
  const { data } = asked;
  return (
    <ChartCard
      name="age"
      title="Open requests by age"
      unit="requests, USD"
      chart={data && ((width) => <AgePlot ages={data.ages} width={width} />)}
      failed={failedOf(asked)}
      table={
        <Twin
          label="Open requests by age"
          rows={data?.ages ?? []}
          keyOf={({ fromHours }) => String(fromHours)}
          columns={[
            { head: 'Waits', cell: ageWords },
            { head: 'Requests', cell: countOf },
            { head: 'Funding', cell: ({ funding }) => funding },
            { head: 'Withdrawals', cell: ({ withdrawals }) => withdrawals },
            { head: 'Transfers', cell: ({ transfers }) => transfers },
            { head: 'Amount, USD', cell: ({ amount }) => exactMoney(amount, 'USD') },
          ]}
        />
      }
    >
      {data?.complete === false && (
        <p className={`soft ${styles.note ?? ''}`}>
          There are more requests than are counted here: those that wait longest are.
        </p>
      )}
    </ChartCard>
  );
}
