import type { Currency } from '#contracts';
import { exactMoney, signedMoney } from '../../lib';
import { ChartCard } from './chart-card';
import { DayPlot } from './day-plot';
import { mostOf, totalOf, type DailySum } from './sums';
import { Twin } from './twin';
import styles from './figures.module.css';

export type DaysProps = {
  /** Undefined as long as they are not there. */
  readonly days: readonly DailySum[] | undefined;
  readonly currency: Currency;
  readonly failed: { readonly detail: string | undefined; readonly onRetry: () => void } | undefined;
};

/** What came in, went out and was held, day by day. */
export function MoneyCard({ days, currency, failed }: DaysProps) {
  const most = (name: 'in' | 'out') => exactMoney(mostOf(days ?? [], name, currency), currency);
  const draw = (width: number) => (
    <DayPlot
      width={width}
      colors={{ up: styles.in ?? '', down: styles.out ?? '' }}
      most={{ up: `+${most('in')}`, down: `−${most('out')}` }}
      days={(days ?? []).map((one) => ({
        day: one.day,
        up: Number(one.in),
        down: Number(one.out),
        level: Number(one.held),
      }))}
    />
  );
  return (
    <ChartCard
      name="money"
      title="Money by day"
      unit={`${currency}, days in UTC`}
      chart={days && draw}
      failed={failed}
      table={
        <Twin
          label={`Money by day, ${currency}`}
          rows={(days ?? []).toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { head: 'Day', cell: ({ day }) => day },
            { head: 'In', cell: (row) => exactMoney(row.in, currency) },
            { head: 'Out', cell: ({ out }) => exactMoney(out, currency) },
            { head: 'By hand', cell: ({ byHand }) => signedMoney(byHand, currency) },
            { head: 'Held at the end', cell: ({ held }) => exactMoney(held, currency) },
          ]}
        />
      }
    >
      {days !== undefined && (
        <dl className={styles.totals}>
          <Total name="In" kind="credit" text={exactMoney(totalOf(days, 'in', currency), currency)} />
          <Total name="Out" kind="debit" text={exactMoney(totalOf(days, 'out', currency), currency)} />
          <Total
            name="Held at the end"
            kind={styles.wait ?? ''}
            text={exactMoney(days.at(-1)?.held ?? '0', currency)}
          />
        </dl>
      )}
    </ChartCard>
  );
}

type TotalProps = { readonly name: string; readonly kind: string; readonly text: string };

/** What a chart comes to, in the color that it has there. */
export function Total({ name, kind, text }: TotalProps) {
  return (
    <div>
      <dt className={kind}>{name}</dt>
      <dd className="num">{text}</dd>
    </div>
  );
}
