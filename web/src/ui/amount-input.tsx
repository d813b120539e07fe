import { TextInput, type TextInputProps } from '@mantine/core';
import { exactMoney, isZero } from '../lib';
import styles from './amount-input.module.css';

type Props = TextInputProps & {
  /** The most that the amount can be, in US dollars, as the service says; undefined while that is not known. */
  readonly most: string | undefined;
  readonly onMost: (most: string) => void;
};

/** An amount of US dollars, with a button that fills in the most there is. */
export function AmountInput({ most, onMost, ...input }: Props) {
  return (
    <TextInput
      label="Amount, USD"
      inputMode="decimal"
      autoComplete="off"
      classNames={{ input: `num ${styles.amount ?? ''}`, section: styles.section ?? '' }}
      rightSection={
        most !== undefined &&
        !isZero(most) && (
          <button type="button" className={`action num ${styles.most ?? ''}`} onClick={() => onMost(most)}>
            Use {exactMoney(most, 'USD')}
          </button>
        )
      }
      {...input}
    />
  );
}
