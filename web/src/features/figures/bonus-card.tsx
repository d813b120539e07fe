import { exactMoney } from '../../lib';
import { ChartCard } from './chart-card';
import { DayPlot } from './day-plot';
import { Total, type DaysProps } from './money-card';
import { mostOf, totalOf } from './sums';
import { Twin } from './twin';
import styles from './figures.module.css';

/** What the promotional bonus cost the operator, day by day. */
export function BonusCard({ days, currency, failed }: DaysProps) {
  const draw = (width: number) => (
    <DayPlot
      width={width}
      colors={{ up: styles.out ?? '' }}
      most={{ up: exactMoney(mostOf(days ?? [], 'bonus', currency), currency) }}
      days={(days ?? []).map(({ day, bonus }) => ({ day, up: Number(bonus) }))}
    />
  );
  return (
    <ChartCard
      name="bonus"
      title="Bonus expense"
      unit={`${currency}, days in UTC`}
      chart={days && draw}
      failed={failed}
      table={
        <Twin
          label={`Bonus expense, ${currency}`}
          rows={(days ?? []).toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { head: 'Day', cell: ({ day }) => day },
            { head: 'Paid', cell: ({ bonus }) => exactMoney(bonus, currency) },
          ]}
        />
      }
    >
      {days !== undefined && (
        <dl className={styles.totals}>
          <Total name="Paid" kind="debit" text={exactMoney(totalOf(days, 'bonus', currency), currency)} />
        </dl>
      )}
      <p className={`soft ${styles.note ?? ''}`}>
        Promotional bonus that the operator gave to customers: an expense, which nothing earned.
      </p>
    </ChartCard>
  );
}
