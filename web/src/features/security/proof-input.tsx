import { TextInput, type TextInputProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { isPin } from './pin-input';

/** The codes of a refusal of what proves who asks, each said at the field `proof`. */
export const proofCodes = {
  proof_missing: 'proof',
  invalid_credentials: 'proof',
  too_many_attempts: 'proof',
  pin_missing: 'proof',
  pin_wrong: 'proof',
  pin_locked: 'proof',
} as const;

/** What was typed as the pin or the password: no password has as few characters as a pin. */
export function moneyProofOf(text: string): { readonly pin: string } | { readonly password: string } {
  return isPin(text) ? { pin: text } : { password: text };
}

type Props = Pick<ComponentProps<'input'>, 'name' | 'onChange' | 'onBlur' | 'ref'> &
  Pick<TextInputProps, 'label' | 'description' | 'error'>;

/** What proves again that it is they who ask. */
export function ProofInput(props: Props) {
  return <TextInput type="password" autoComplete="current-password" {...props} />;
}
