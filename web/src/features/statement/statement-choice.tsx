import { NativeSelect } from '@mantine/core';
import { currencies, useNow } from '../../lib';
import { PeriodChoice, Segments } from '../../ui';
import { presetsAt, zonesFor, type StatementView } from './period';

/** Said where the last day is chosen; the service says the same. */
export const BACKWARDS = 'A period can’t end before it begins.';

type Props = {
  readonly view: StatementView;
  readonly onChange: (changes: Partial<StatementView>) => void;
};

/** Which statement: its days, the time zone that they are of, and the currency. */
export function StatementChoice({ view, onChange }: Props) {
  const { from, to, zone, currency } = view;
  return (
    <PeriodChoice
      label="Statement"
      period={view}
      presets={presetsAt(useNow(), zone)}
      fault={from > to ? BACKWARDS : undefined}
      onChange={onChange}
    >
      <NativeSelect
        label="Time zone"
        value={zone}
        data={[...zonesFor(zone)]}
        onChange={({ currentTarget: { value } }) => onChange({ zone: value })}
      />
      <Segments
        label="Currency"
        values={currencies}
        value={currency}
        onChange={(chosen) => onChange({ currency: chosen })}
      />
    </PeriodChoice>
  );
}
