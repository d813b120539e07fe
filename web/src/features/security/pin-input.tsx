import { TextInput, type TextInputProps } from '@mantine/core';
import styles from './pin-input.module.css';

const PIN_DIGITS = 4;
export const WRONG_PIN = 'A transfer pin has 4 digits.';

export function isPin(text: string): boolean {
  return /^\d{4}$/.test(text);
}

/** Four digits that nobody sees. */
export function PinInput(props: TextInputProps) {
  return (
    <TextInput
      type="password"
      inputMode="numeric"
      autoComplete="off"
      maxLength={PIN_DIGITS}
      classNames={{ input: styles.pin ?? '' }}
      {...props}
    />
  );
}
