import { Button, NativeSelect, TextInput } from '@mantine/core';
import { scales, type Currency } from '#contracts';
import { useNow } from '../../lib';
import { Segments } from '../../ui';
import { presetsAt, zonesFor, type StatementView } from './period';
import styles from './statement.module.css';

/** Said where the last day is chosen; the service says the same. */
export const BACKWARDS = 'A period can’t end before it begins.';

const currencies = Object.keys(scales).filter((name): name is Currency => name in scales);

type Props = {
  readonly view: StatementView;
  readonly onChange: (changes: Partial<StatementView>) => void;
};

/** Which statement: its days, the time zone that they are of, and the currency. */
export function StatementChoice({ view, onChange }: Props) {
  const { from, to, zone, currency } = view;
  const now = useNow();
  return (
    <form
      className={`card ${styles.choice}`}
      aria-label="Statement"
      onSubmit={(event) => event.preventDefault()}
    >
      <div className={styles.presets}>
        {presetsAt(now, zone).map(({ name, ...period }) => (
          <Button
            key={name}
            variant="default"
            size="xs"
            aria-pressed={period.from === from && period.to === to}
            onClick={() => onChange(period)}
          >
            {name}
          </Button>
        ))}
      </div>
      <TextInput
        type="date"
        label="From"
        value={from}
        onChange={({ currentTarget: { value } }) => value !== '' && onChange({ from: value })}
      />
      <TextInput
        type="date"
        label="To"
        value={to}
        error={from > to && BACKWARDS}
        onChange={({ currentTarget: { value } }) => value !== '' && onChange({ to: value })}
      />
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
    </form>
  );
}
