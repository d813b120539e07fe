import { adminRoutes } from '../../api';
import { currencies, useNow } from '../../lib';
import { PeriodChoice, Segments } from '../../ui';
import { CsvButton } from '../csv';
import { faultOf, presetsAt, type FiguresView } from './days';

type Props = {
  readonly view: FiguresView;
  readonly onChange: (changes: Partial<FiguresView>) => void;
};

/** Of which days and which currency the charts of money are. */
export function Choice({ view, onChange }: Props) {
  const { from, to, currency } = view;
  const fault = faultOf(view);
  return (
    <PeriodChoice
      label="Days and currency"
      period={view}
      presets={presetsAt(useNow())}
      fault={fault}
      onChange={onChange}
    >
      <Segments
        label="Currency"
        values={currencies}
        value={currency}
        onChange={(chosen) => onChange({ currency: chosen })}
      />
      <CsvButton
        isThere={fault === undefined}
        take={(download) =>
          download(adminRoutes.dailySums, { from, to, currency }, `daily-sums-${currency}-${from}-${to}.csv`)
        }
      />
    </PeriodChoice>
  );
}
