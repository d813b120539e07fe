import { NativeSelect } from '@mantine/core';
import { duties, type Duty } from '#contracts';
import { dutyNames, dutyWords } from './words';

type Props = { readonly value: Duty; readonly onChange: (duty: Duty) => void };

const data = duties.map((value) => ({ value, label: dutyNames[value] }));

/** Chooses a duty, and says what it is. */
export function DutyChoice({ value, onChange }: Props) {
  return (
    <NativeSelect
      label="Duty"
      description={dutyWords[value]}
      value={value}
      data={data}
      onChange={({ currentTarget }) => {
        const chosen = duties.find((one) => one === currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    />
  );
}
